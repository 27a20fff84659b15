internal import CPostgres
package import Threads

/// A blocking connection to PostgreSQL, confined to the thread that uses it.
///
/// A connection that was lost stays lost: every later call throws why. ``ReconnectingConnection`` opens new ones.
package final class Connection {
    package let configuration: PostgresConfiguration
    /// Cancels the running statement from another thread.
    package let canceller: Canceller

    var handle: ConnectionHandle
    var prepared = PreparedStatements()
    var parameters = ParameterBuffer()
    var transactionState = TransactionState.none
    /// Why nothing works any more.
    private(set) var failure: PostgresError?

    /// Opens a session; the signal ends the wait when it is stopped.
    ///
    /// - Throws: ``PostgresError/cannotConnect(reason:state:)``, ``PostgresError/connectTimeout(_:)``,
    ///   ``PostgresError/stopped``.
    package init(_ configuration: PostgresConfiguration, signal: WaitSignal? = nil) throws(PostgresError) {
        self.configuration = configuration
        var handle = ConnectionHandle(opening: try ConnectionParameters(configuration))
        try Self.open(&handle, configuration.connectTimeout, signal)
        guard let canceller = handle.makeCanceller() else {
            throw .cannotConnect(reason: "libpq has no memory left", state: nil)
        }
        self.handle = handle
        self.canceller = canceller
    }

    /// Ends the session; every later call throws ``PostgresError/closed``.
    package func close() {
        handle.close()
        failure = failure ?? .closed
    }

    /// Whether the session was usable when it was last used.
    package var isHealthy: Bool { failure == nil && handle.isOpen }

    private static func open(
        _ handle: inout ConnectionHandle,
        _ timeout: Duration,
        _ signal: WaitSignal?
    ) throws(PostgresError) {
        if let error = handle.startFailure { throw error }
        let deadline = ContinuousClock.now + timeout
        // libpq wants to be called first when the socket can be written, which says that it is connected.
        var interest = SocketWait.Interest.write
        while true {
            switch SocketWait.wait(socket: handle.socket, for: interest, signal: signal, until: deadline) {
            case .timedOut: throw .connectTimeout(timeout)
            case .woken:
                if signal?.isStopped == true { throw .stopped }
                continue
            case .ready: break
            }
            switch handle.advance() {
            case .open: return
            case .failed(let error): throw error
            case .wants(let next): interest = next
            }
        }
    }
}

@available(*, unavailable)
extension Connection: Sendable {}

// MARK: Waiting and losing

extension Connection {
    /// The most pieces of unasked input that are read before a statement; the rest waits for the next one.
    private static let unaskedReadsMax = 16

    /// Throws when the session is known to be gone.
    ///
    /// Looks for what the server said while nothing was asked of it, so that a session that ended in the meantime is a
    /// plain loss and not an unknown outcome. The end can lie behind a message, so it takes more than one look.
    func checkUsable() throws(PostgresError) {
        if let failure { throw failure }
        var isAlive = true
        for _ in 0..<Self.unaskedReadsMax where isAlive {
            guard case .ready = SocketWait.wait(socket: handle.socket, for: .read, until: .now) else { break }
            isAlive = handle.consumeInput()
        }
        // Parses what was read, now or with the last answer; libpq hands an error that came unasked to the notice log.
        _ = handle.isBusy
        if let state = handle.notices.sessionEnd { throw lose("the server ended the session with \(state)") }
        guard isAlive else { throw lose(handle.errorMessage) }
    }

    /// Marks the connection as lost and gives its descriptor back.
    func lose(_ reason: String) -> PostgresError {
        // libpq's second line says what that probably means.
        let reason = reason.split(separator: ";").first.map(String.init) ?? "it was closed"
        let error = failure ?? .connectionLost(reason: reason)
        failure = error
        handle.close()
        return error
    }

    /// Waits for the socket, at most the configured silence.
    func wait(for interest: SocketWait.Interest) throws(PostgresError) -> SocketWait.Interest {
        let deadline = configuration.silenceTimeout.map { ContinuousClock.now + $0 }
        guard case .ready(let ready) = SocketWait.wait(socket: handle.socket, for: interest, until: deadline) else {
            throw lose("the server was silent for \(configuration.silenceTimeout ?? .zero)")
        }
        return ready
    }

    /// Sends all that is buffered, reading meanwhile, so that the server never waits for us to read.
    func flush() throws(PostgresError) {
        while true {
            guard let done = handle.flush() else { throw lose(handle.errorMessage) }
            if done { return }
            if try wait(for: [.read, .write]).contains(.read), !handle.consumeInput() {
                throw lose(handle.errorMessage)
            }
        }
    }

    /// The next result, as soon as it is there; nil at the end of one command's results.
    func receive() throws(PostgresError) -> Rows? {
        while handle.isBusy {
            _ = try wait(for: .read)
            guard handle.consumeInput() else { throw lose(handle.errorMessage) }
        }
        return handle.nextResult()
    }

    /// The error in a failed result; an error that ends the session is thrown as a loss.
    func serverError(_ result: Rows, _ statement: String?) throws(PostgresError) -> ServerError {
        guard let error = ServerError(result, statement: statement) else { throw lose(result.errorMessage) }
        if error.endsSession { throw lose("the server ended the session with \(error.state)") }
        return error
    }
}
