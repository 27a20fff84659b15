import Dispatch
import Foundation
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

/// Something that happens, possibly several times, and that a test waits for.
struct Event: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func signal() { semaphore.signal() }

    /// Whether it has happened; the limit is there for failures only.
    func wait() -> Bool { semaphore.wait(timeout: .now() + 20) == .success }
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
