private import CHTTP
import Synchronization

/// One client's connection and the request on it.
///
/// Everything but ``pending`` belongs to the loop's thread: other threads only carry a reference about (in a
/// responder or a stream) and hand it back through the inbox. That is why `@unchecked Sendable` holds.
@safe
final class Connection: @unchecked Sendable {
    /// The library's connection; valid until the library says that it is closed.
    private let handle: OpaquePointer
    private let descriptor: Int32

    /// The server, which the library calls through this connection; it stops the library before it goes.
    unowned let server: HTTPServer

    /// The ticket of the request that waits for its answer; 0 when none does.
    ///
    /// Whoever changes it to 0 answers.
    let pending = Atomic<UInt64>(0)

    /// Where this connection stands in the server's list.
    var index = 0
    var phase: ConnectionPhase
    /// The ticket of the latest request that the handler got.
    private(set) var ticket: UInt64 = 0
    private(set) var isSuspended = false

    /// The target of the request that is coming in, as it was sent.
    var rawTarget: [UInt8] = []
    /// The header of the request that is coming in, once it is complete and accepted.
    var head: (method: String, target: RequestTarget, fields: HeaderFields)?
    var body: [UInt8] = []
    /// The bytes of the body that count against the server's limit until the request is over.
    var bodyBytes = 0
    /// The bytes that came in after a refusal.
    var discardedBytes = 0

    /// Whether the handler is running for this connection, and the answer it has given meanwhile.
    var isInHandler = false
    var answerInHandler: Response?
    var stream: ResponseStream?
    /// Where the time that the answer takes is counted.
    var latency: LatencyHistogram?

    init(handle: OpaquePointer, descriptor: Int32, now: MonotonicTime, server: HTTPServer) {
        unsafe self.handle = handle
        self.descriptor = descriptor
        self.server = server
        phase = .idle(since: now)
    }

    /// Takes the right to answer a request; true for one caller only.
    func claim(_ ticket: UInt64) -> Bool {
        pending.compareExchange(expected: ticket, desired: 0, ordering: .acquiringAndReleasing).exchanged
    }

    /// The request that has come in completely, with the ticket for its answer.
    func beginHandling(ticket: UInt64, now: MonotonicTime) -> Request? {
        guard let head else { return nil }
        let request = Request(method: head.method, target: head.target, fields: head.fields, body: body)
        body = []
        self.ticket = ticket
        pending.store(ticket, ordering: .releasing)
        phase = .handling(since: now)
        return request
    }

    /// Forgets the request, answered or not; gives back what it had.
    func endRequest(now: MonotonicTime) -> (stream: ResponseStream?, bodyBytes: Int) {
        pending.store(0, ordering: .relaxed)
        defer {
            stream = nil
            bodyBytes = 0
        }
        head = nil
        body = []
        rawTarget = []
        discardedBytes = 0
        answerInHandler = nil
        latency = nil
        if phase != .broken { phase = .idle(since: now) }
        return (stream, bodyBytes)
    }
}

/// The library's connection and its socket.
extension Connection {
    /// Takes the connection out of the library's hands; only inside its callbacks.
    func suspend() {
        isSuspended = true
        unsafe CHTTP_suspend(handle)
    }

    /// Gives the connection back, if it was taken out.
    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        unsafe CHTTP_resume(handle)
    }

    /// The header fields of the request.
    /// - Throws: a refusal when they are too long, or one was folded over lines (RFC 9112 section 5.2).
    func copyFields(headerBytesMax: Int) throws(Refusal) -> HeaderFields {
        let headerBytes = unsafe CHTTP_header_bytes(handle)
        guard headerBytes <= headerBytesMax else { throw .headerTooLarge }
        // A field takes at least two bytes of the header besides its texts, and four in the copy.
        let capacity = 2 * headerBytes
        var outcome = 0
        let records = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            outcome = unsafe CHTTP_copy_fields(handle, start, capacity)
            count = max(outcome, 0)
        }
        guard outcome >= 0 else { throw .malformed }
        return HeaderFields(records: records)
    }

    /// Hands a response to the library; false when it cannot take one.
    func send(_ response: consuming LibraryResponse, status: Int) -> Bool {
        unsafe CHTTP_respond(handle, UInt32(clamping: status), response.release())
    }

    /// Writes bytes past the library and says that no more will come; only while it has nothing of its own to send.
    func sendLast(_ bytes: [UInt8]) {
        // A refusal is small and the socket's buffer empty; if the kernel takes only a part, the client sees less.
        _ = unsafe bytes.withUnsafeBytes { bytes -> Int in
            guard let start = bytes.baseAddress else { return 0 }
            return unsafe CHTTP_send(descriptor, start, bytes.count)
        }
        CHTTP_shut_write(descriptor)
    }

    /// Breaks the connection in both directions; the library notices in its next run.
    func breakOff() {
        phase = .broken
        CHTTP_shut(descriptor)
    }

    /// Whether the client has closed its side.
    var isClosedByPeer: Bool { CHTTP_peer_closed(descriptor) }
}
