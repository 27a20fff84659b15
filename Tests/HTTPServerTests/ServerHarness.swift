import Foundation
import Glibc
import Synchronization
import Testing

@testable import HTTPServer

/// A server on a thread of its own, stopped when the body ends.
func withServer<Value>(
    _ configure: (inout HTTPServerConfiguration) -> Void = { _ in },
    sources: [any LoopSource] = [],
    handler: @escaping (Request, Responder) -> Void,
    _ body: (HTTPServer) throws -> Value
) throws -> Value {
    var configuration = HTTPServerConfiguration()
    configuration.drainDeadline = .milliseconds(200)
    configure(&configuration)
    let server = try HTTPServer(configuration: configuration, handler: handler)
    for source in sources { server.add(source) }
    let ended = Event()
    Thread.detachNewThread {
        server.run()
        ended.signal()
    }
    defer {
        server.stop()
        #expect(ended.wait(), "the server has stopped")
        #expect(server.metrics.snapshot.connectionsOpen == 0)
        #expect(server.metrics.snapshot.streamsOpen == 0)
    }
    return try body(server)
}

/// Lets a test hand what belongs to the loop's thread to work that runs there.
struct OnLoopOnly<Value>: @unchecked Sendable { let value: Value }

/// Something that happens, possibly several times, and that a test waits for.
///
/// Made of what the thread sanitizer knows, which a semaphore of Dispatch is not.
final class Event: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var count = 0

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func signal() {
        pthread_mutex_lock(mutex)
        count += 1
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Whether it has happened; the limit of two minutes is there for failures only.
    func wait() -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var limit = timespec()
        clock_gettime(CLOCK_REALTIME, &limit)
        limit.tv_sec += 120
        while count == 0 {
            guard pthread_cond_timedwait(condition, mutex, &limit) == 0 else { return false }
        }
        count -= 1
        return true
    }
}

/// Values that other threads put in, to be waited for.
final class Mailbox<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let event = Event()

    func put(_ value: Value) {
        values.withLock { $0.append(value) }
        event.signal()
    }

    /// The next value, in the order in which they came.
    func take() throws -> Value {
        try #require(event.wait(), "a value has come")
        return values.withLock { $0.removeFirst() }
    }

    var count: Int { values.withLock { $0.count } }
}

/// Answers with what it got: the method, the path and the body.
func echo(_ request: Request, _ responder: Responder) {
    responder.respond(
        Response(
            status: 200,
            text: "\(request.method) \(request.path) \(String(decoding: request.body, as: UTF8.self))"
        )
    )
}

/// Runs the body on so many threads, and waits for all of them.
func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let ended = Event()
    for index in 0..<count {
        Thread.detachNewThread {
            body(index)
            ended.signal()
        }
    }
    for _ in 0..<count { #expect(ended.wait(), "a thread has ended") }
}
