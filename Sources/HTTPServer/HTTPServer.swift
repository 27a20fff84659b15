private import CHTTP
private import Glibc
import Synchronization

/// An HTTP/1.1 server that is one loop on one thread: clients, and whatever else is added to the loop.
///
/// The thread that calls ``run()`` is the loop's thread. The handler, the sources, the callbacks of streams and the
/// work given to ``onLoop(_:)`` run there, one after the other, and must not block.
///
/// `@unchecked Sendable` holds because what is not constant is either atomic, behind a lock, or touched only by the
/// loop's thread (and by the thread that makes the server, before ``run()``).
@safe
package final class HTTPServer: @unchecked Sendable {
    /// The limits and the address, as given.
    package let configuration: HTTPServerConfiguration

    /// The port that the server listens on.
    package let port: UInt16

    /// What the server counts, together with those that it shares its address with; readable from any thread.
    package let metrics: HTTPServerMetrics

    let handler: (Request, Responder) -> Void
    private let inbox: LoopInbox
    private let poll: EventPoll
    /// The library's, which closes it.
    private let listener: Int32
    private let hasRun = Atomic(false)
    /// The thread in ``run()``; 0 when there is none.
    ///
    /// Only that thread compares equal to it, so relaxed order is enough.
    private let loopThread = Atomic<UInt>(0)

    // From here on the loop's thread only.
    private var library: OpaquePointer?
    private let sources = LoopSources()
    var connections: [Connection] = []
    var lastTicket: UInt64 = 0
    /// The bytes of all bodies of requests that are not over.
    var bodiesBytes = 0
    /// The time at which this round began: one look at the clock serves a whole round.
    var now = MonotonicTime.now
    var nextSweep = MonotonicTime.now
    /// When the requests that are still in flight are broken off; nil while the server is not stopping.
    var drainEnds: MonotonicTime?
    /// Requests that were left to be answered later.
    var suspensions = 0
    /// When the turn began after which the sources would have written, while they wait for what the next one brings.
    private var gatheringSince: MonotonicTime?
    /// Callbacks that must not run inside the library's.
    private var deferred: [() -> Void] = []

    /// A server that listens but does not serve yet: clients wait until ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: the address and the limits.
    ///   - other: a server that was not stopped, to serve its address with it, each on a thread of its own: the kernel
    ///     spreads new connections between them, whatever they do. The address in `configuration` is not looked at.
    ///   - handler: called on the loop's thread with each complete request. It need not be sendable: it may share what
    ///     only the loop's thread uses. Written in main-actor code (`main.swift`) it would trap on another thread;
    ///     write it in a nonisolated function.
    /// - Throws: ``HTTPServerError`` when the address cannot be listened on, or descriptors or memory are short.
    package init(
        configuration: HTTPServerConfiguration,
        sharingAddressOf other: HTTPServer? = nil,
        handler: @escaping (Request, Responder) -> Void
    ) throws(HTTPServerError) {
        precondition(configuration.headerBytesMax <= 64_000, "a header's fields are counted in two bytes")
        self.configuration = configuration
        self.handler = handler
        inbox = try LoopInbox()
        poll = try EventPoll()
        metrics = other?.metrics ?? HTTPServerMetrics()
        if let other {
            listener = CHTTP_listen_beside(other.listener, configuration.backlogMax)
        } else {
            listener = unsafe CHTTP_listen(configuration.address, configuration.port, configuration.backlogMax)
        }
        guard listener >= 0 else { throw .listening(on: configuration, errno: -listener) }
        port = CHTTP_local_port(listener)
        // The library borrows `self`, which stops it before it goes.
        let started = unsafe CHTTP_start(
            listener,
            UInt32(configuration.connectionsMax),
            configuration.poolBytes,
            libraryCallbacks,
            Unmanaged.passUnretained(self).toOpaque()
        )
        guard let started = unsafe started else {
            close(listener)
            throw .libraryFailed
        }
        unsafe library = started
        guard poll.add(unsafe CHTTP_epoll_descriptor(started), for: .read, token: Token.library),
            poll.add(inbox.descriptor, for: .read, edgeTriggered: true, token: Token.inbox)
        else { throw .noDescriptor(errno: errno) }
    }

    deinit {
        if let library = unsafe library { unsafe CHTTP_stop(library) }
    }

    /// Adds something to the loop; before ``run()`` or on the loop's thread.
    package func add(_ source: any LoopSource) {
        precondition(isLoopThread || !hasRun.load(ordering: .relaxed), "sources are added on the loop's thread")
        sources.add(source)
    }

    /// Runs work on the loop's thread, in the order of the calls; from any thread.
    ///
    /// - Returns: false when 65,536 pieces of work wait already, or the loop has ended; the work is dropped then.
    @discardableResult
    package func onLoop(_ work: @escaping @Sendable () -> Void) -> Bool { inbox.put(.work(work)) }

    /// Stops the server: accepts nothing more, lets requests in flight end, then ``run()`` returns; from any thread.
    package func stop() { inbox.put(.stop) }

    /// Serves on the calling thread until the server has stopped.
    ///
    /// A server runs once.
    package func run() {
        precondition(!hasRun.exchange(true, ordering: .relaxed), "a server runs once")
        loopThread.store(UInt(pthread_self()), ordering: .relaxed)
        now = MonotonicTime.now
        sources.register(in: poll)
        while !(drainEnds != nil && connections.isEmpty) { round() }
        end()
        loopThread.store(0, ordering: .relaxed)
    }

    /// Whether the calling thread is the one in ``run()``.
    var isLoopThread: Bool { loopThread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// The time after which the sources write, whatever the turns bring.
    private static let gatheringMax: Duration = .microseconds(500)

    /// The tokens of the loop's own descriptors; those of the sources follow.
    private enum Token {
        static let library: UInt64 = 0
        static let inbox: UInt64 = 1
    }
}

/// The loop.
extension HTTPServer {
    /// One turn: wait, let the sources read, carry out what other threads sent, serve clients, let the sources write.
    ///
    /// In this order an answer that a source or another thread has brought leaves in the same turn, and everything
    /// that clients asked for in this turn reaches the sources in one go. While turns bring requests that wait, the next
    /// one comes at once, and the sources write after the last of them or after ``gatheringMax``: what a database does for
    /// one query costs more than what it does for one key.
    private func round() {
        var hasMail = false
        let suspensionsBefore = suspensions
        poll.wait(atMost: waitLimit) { event in
            switch event.token {
            case Token.library: break
            case Token.inbox: hasMail = true
            default: sources.descriptorReady(at: Int(event.token - LoopSources.firstToken), event.interest)
            }
        }
        now = MonotonicTime.now
        sources.deadlinesReached(at: now)
        if hasMail { for item in inbox.takeAll() { carryOut(item) } }
        runLibrary()
        runDeferred()
        if now >= nextSweep { sweep() }
        if suspensions != suspensionsBefore, now - (gatheringSince ?? now) < Self.gatheringMax {
            gatheringSince = gatheringSince ?? now
            return
        }
        gatheringSince = nil
        sources.roundEnded()
        sources.register(in: poll)
    }

    /// How long the loop may sleep; nil for as long as nothing happens.
    private var waitLimit: Duration? {
        guard deferred.isEmpty, gatheringSince == nil, let library = unsafe library else { return .zero }
        let milliseconds = unsafe CHTTP_timeout(library)
        if milliseconds == 0 { return .zero }
        var limit: Duration? = milliseconds > 0 ? .milliseconds(milliseconds) : nil
        let sweep = connections.isEmpty ? nil : nextSweep
        for instant in [sweep, sources.deadline].compactMap(\.self) {
            limit = min(limit ?? .seconds(60), instant - MonotonicTime.now)
        }
        return limit
    }

    private func carryOut(_ item: LoopInbox.Item) {
        switch item {
        case .answer(let response, let connection, let ticket): finish(connection, ticket: ticket, with: response)
        case .streamReady(let connection, let ticket): resumeStream(of: connection, ticket: ticket)
        case .work(let work): work()
        case .stop: beginDraining()
        }
    }

    /// Lets the library read, call back and write.
    func runLibrary() {
        if let library = unsafe library { unsafe CHTTP_run(library) }
    }

    /// Runs a callback of a stream at the end of the round: inside the library's callbacks it could call back into it.
    func afterRound(_ callback: @escaping () -> Void) { deferred.append(callback) }

    private func runDeferred() {
        guard !deferred.isEmpty else { return }
        let callbacks = deferred
        deferred = []
        for callback in callbacks { callback() }
    }

    /// Puts an item for the loop; what comes after its end is dropped.
    func post(_ item: LoopInbox.Item) {
        guard !inbox.put(item), case .answer(let response, _, _) = item else { return }
        response.abandon()
    }

    /// Accepts no more clients and closes the idle ones; called again, it changes nothing.
    private func beginDraining() {
        guard drainEnds == nil, let library = unsafe library else { return }
        drainEnds = now + configuration.drainDeadline
        nextSweep = now
        // What has arrived by now is still served; a connection without a request has nothing to lose.
        runLibrary()
        unsafe CHTTP_stop_listening(library)
        for connection in connections {
            if case .idle = connection.phase { connection.breakOff() }
        }
    }

    /// Frees the library, and drops what comes too late.
    private func end() {
        if let library = unsafe library { unsafe CHTTP_stop(library) }
        unsafe library = nil
        // What was taken is done: somebody may wait for it.
        for item in inbox.close() {
            switch item {
            case .answer(let response, _, _): response.abandon()
            case .work(let work): work()
            case .streamReady, .stop: break
            }
        }
        while !deferred.isEmpty { runDeferred() }
    }
}

extension HTTPServerError {
    /// The error of a listening socket that could not be had.
    fileprivate static func listening(on configuration: HTTPServerConfiguration, errno: Int32) -> HTTPServerError {
        if errno == EINVAL { return .invalidAddress(configuration.address) }
        return .cannotListen(address: configuration.address, port: configuration.port, errno: errno)
    }
}
