/// A connection that lives in somebody else's event loop: it has no thread and never waits.
///
/// The loop watches ``descriptor`` for what ``wantsRead`` and ``wantsWrite`` say, calls ``ready(readable:writable:)``
/// when it happens, ``flush()`` once per turn after its submissions, and ``tick(_:)`` when ``nextDeadline`` has come.
/// What was submitted meanwhile goes out together: one pipeline, one synchronisation point, up to ``batchMax`` queries.
/// Each query still has an outcome of its own: queries behind one that failed run again in the next batch, and one
/// that can change something travels alone.
///
/// After a loss the queries in flight fail, and sessions are opened with a ``Backoff`` until one stays. Queries that
/// have not been sent wait for it, at most ``queueWait``.
package final class NonBlockingConnection {
    package typealias Completion = (Result<Rows, PostgresError>) -> Void

    /// What became of the session, for logs and metrics.
    package enum Event: Sendable, Hashable {
        case opened
        case lost(PostgresError)
        /// Could not be opened; the next attempt comes after the wait.
        case failed(PostgresError, retryAfter: Duration)
    }

    enum State {
        /// Before ``start()`` and after ``close()``.
        case closed
        case opening(SocketWait.Interest, deadline: ContinuousClock.Instant)
        case open
        case waiting(until: ContinuousClock.Instant)
    }

    package let configuration: PostgresConfiguration
    /// The most queries that wait to be sent.
    package let queueMax: Int
    /// The most queries sent together.
    package let batchMax: Int
    /// The most time that a query waits to be sent.
    package let queueWait: Duration
    /// Told when the loop has to watch another descriptor: the old one is closed already (epoll has forgotten it), the
    /// new one can have the same number; nil when there is none.
    package var onDescriptorChange: ((_ descriptor: Int32?) -> Void)?
    package var onEvent: ((Event) -> Void)?

    var handle = ConnectionHandle()
    var state = State.closed
    var backoff: Backoff
    var generator: any RandomNumberGenerator
    var prepared = PreparedStatements()
    var parameters = ParameterBuffer()
    var queue = PendingQueue()
    var batch: Batch?
    var needsFlush = false
    var socketIdentity: SocketIdentity?
    var openedAt: ContinuousClock.Instant?

    package init(
        _ configuration: PostgresConfiguration,
        queueMax: Int = 16_384,
        batchMax: Int = 256,
        queueWait: Duration = .seconds(2),
        backoff: Backoff = Backoff(),
        generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        precondition(
            queueMax > 0 && batchMax > 0 && batchMax <= Connection.pipelineQueriesMax,
            "a limit is out of range"
        )
        self.configuration = configuration
        self.queueMax = queueMax
        self.batchMax = batchMax
        self.queueWait = queueWait
        self.backoff = backoff
        self.generator = generator
    }
}

@available(*, unavailable)
extension NonBlockingConnection: Sendable {}

// MARK: What the loop asks and tells

extension NonBlockingConnection {
    /// Begins to open the session.
    package func start() {
        guard case .closed = state else { return }
        open(now: .now)
    }

    /// Ends the session and fails everything that was asked with ``PostgresError/closed``.
    package func close() {
        if case .closed = state { return }
        let unanswered = takeUnanswered() + queue.take(.max)
        end()
        state = .closed
        for query in unanswered { query.completion(.failure(.closed)) }
    }

    /// The socket to watch, while there is one.
    package var descriptor: Int32? { socketIdentity?.descriptor }

    package var wantsRead: Bool {
        switch state {
        case .opening(let interest, _): interest.contains(.read)
        case .open: true
        case .closed, .waiting: false
        }
    }

    package var wantsWrite: Bool {
        switch state {
        case .opening(let interest, _): interest.contains(.write)
        case .open: needsFlush
        case .closed, .waiting: false
        }
    }

    /// Whether a session is open.
    package var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// Whether a query submitted now would be sent by the next ``flush()``.
    package var isIdle: Bool { isOpen && batch == nil }

    /// The queries sent and not answered.
    package var inFlightCount: Int { batch?.unanswered ?? 0 }

    /// The queries that wait to be sent.
    package var queuedCount: Int { queue.count }

    /// When ``tick(_:)`` has something to do at the latest.
    package var nextDeadline: ContinuousClock.Instant? {
        let own: ContinuousClock.Instant? =
            switch state {
            case .opening(_, let deadline): deadline
            case .waiting(let until): until
            case .open: batch?.deadline
            case .closed: nil
            }
        return [own, queue.first?.deadline].compactMap { $0 }.min()
    }

    /// Queues a query.
    ///
    /// `completion` is called exactly once, from ``ready(readable:writable:)``, ``flush()``, ``tick(_:)`` or
    /// ``close()``, never from here; it may submit again.
    ///
    /// - Throws: ``PostgresError/limitExceeded(what:limit:)`` when too many wait, ``PostgresError/closed``,
    ///   ``PostgresError/misuse(_:)``.
    package func submit(
        _ statement: Statement,
        _ parameters: [Parameter] = [],
        completion: @escaping Completion
    ) throws(PostgresError) {
        if case .closed = state { throw .closed }
        guard queue.count < queueMax else {
            throw .limitExceeded(what: "queries waiting for a connection", limit: queueMax)
        }
        try ParameterBuffer.check(parameters)
        queue.append(
            PendingQuery(query: Query(statement, parameters), completion: completion, deadline: .now + queueWait)
        )
    }

    /// Sends what waits, if nothing is in flight.
    package func flush() {
        // Once, unless every query of a batch was refused before it was sent.
        while isIdle, queue.count > 0 { sendBatch() }
    }

    /// Goes on with what the socket allows now.
    package func ready(readable: Bool, writable: Bool) {
        switch state {
        case .opening: continueOpening()
        case .open:
            if readable { receive() }
            if isOpen, needsFlush { flushSocket() }
            flush()
        case .closed, .waiting: break
        }
    }

    /// Does what is due: gives up on what takes too long, and opens the next session.
    package func tick(_ now: ContinuousClock.Instant) {
        switch state {
        case .opening(_, let deadline) where deadline <= now:
            openingFailed(.connectTimeout(configuration.connectTimeout), now: now)
        case .waiting(let until) where until <= now: open(now: now)
        case .open:
            if let deadline = batch?.deadline, deadline <= now {
                lose("the server was silent for \(configuration.silenceTimeout ?? .zero)")
            }
        case .closed, .opening, .waiting: break
        }
        let late = queue.take(.max) { $0.deadline <= now }
        for query in late { query.completion(.failure(.connectionLost(reason: "no session for \(queueWait)"))) }
        flush()
    }
}
