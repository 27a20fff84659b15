internal import CLoad
internal import Glibc

/// One keep-alive connection with at most one request outstanding.
final class LoadConnection {
    private let poll: EventPoll
    let target: Int
    private let port: UInt16
    private let token: Int
    private(set) var descriptor: Int32
    var phase = Phase.idle
    /// The request that is being answered, kept for sending it again.
    var request: [UInt8] = []
    var reader = ResponseReader()
    /// When the outstanding request was first sent, in nanoseconds of CLOCK_MONOTONIC.
    var startedAt = 0
    /// How often the outstanding request was answered "not now".
    var attempts = 0
    private var sent = 0
    private var watchesWriting = false

    /// What the connection waits for.
    enum Phase: Hashable {
        case idle
        /// The answer to the request of this number.
        case answer(Int)
        /// The time to send it again.
        case pause(Int, until: Int)
        /// Nothing is left to ask.
        case finished
    }

    init(poll: EventPoll, token: Int, target: Int, port: UInt16) throws(BenchError) {
        self.poll = poll
        self.target = target
        self.port = port
        self.token = token
        descriptor = CLoad_connect_loopback(port)
        guard descriptor >= 0 else { throw .connect(port: port, errno: -descriptor) }
        try watch(isNew: true)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Begins to send ``request`` from its first byte.
    func send() throws(BenchError) {
        sent = 0
        reader.reset()
        try continueSending()
    }

    /// Sends as much as the socket takes.
    ///
    /// A broken connection is noticed when it is read.
    func continueSending() throws(BenchError) {
        while sent < request.count {
            let count = unsafe request.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return 0 }
                return unsafe CLoad_send(descriptor, base + sent, bytes.count - sent)
            }
            guard count > 0 else { break }
            sent += count
        }
        let isBlocked = sent < request.count
        guard isBlocked != watchesWriting else { return }
        watchesWriting = isBlocked
        try watch(isNew: false)
    }

    /// What reading has brought.
    enum Input {
        case nothing
        case answer(ResponseReader.Answer)
        /// The server has closed the connection, or it broke.
        case closed
    }

    /// Reads what has come into the scratch space, and frames it.
    func receive(into scratch: inout [UInt8]) throws(BenchError) -> Input {
        let count = unsafe scratch.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            return unsafe CLoad_receive(descriptor, base, bytes.count)
        }
        if count == -Int(EAGAIN) { return .nothing }
        guard count > 0 else { return .closed }
        guard case .answer = phase else { throw .badResponse("it came without a request") }
        let answer = try reader.add(scratch[..<count])
        return answer.map { .answer($0) } ?? .nothing
    }

    /// Replaces the connection by a new one to the same target.
    func reconnect() throws(BenchError) {
        close(descriptor)
        descriptor = CLoad_connect_loopback(port)
        guard descriptor >= 0 else { throw .connect(port: port, errno: -descriptor) }
        watchesWriting = false
        try watch(isNew: true)
    }

    private func watch(isNew: Bool) throws(BenchError) {
        try poll.watch(descriptor, token: token, alsoWriting: watchesWriting, isNew: isNew)
    }
}
