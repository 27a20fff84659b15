internal import Synchronization

/// A connection for callers in Swift concurrency: an actor on a thread of its own, so that nothing blocks the pool.
///
/// A transaction is one synchronous closure on that thread: one hop, no interleaving. After a loss the next call opens a
/// new session. A cancelled task cancels its statement on the server.
package actor PostgresConnection {
    /// The most calls that wait for the connection.
    package static let callsMax = 1_024

    package nonisolated let configuration: PostgresConfiguration
    private let executor: ConnectionThread
    private var connection: Connection?
    private let calls = Atomic<Int>(0)
    private let running = Mutex<(call: Int, canceller: Canceller)?>(nil)
    private let lastCall = Atomic<Int>(0)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// The session is opened by the first call; `name` is the thread's name, of which the system shows 15 bytes.
    package init(_ configuration: PostgresConfiguration, name: String = "postgres") {
        self.configuration = configuration
        executor = ConnectionThread(name: name)
    }

    /// Runs `body` in a transaction: commits when it returns, rolls back when it throws.
    ///
    /// - Throws: what the body threw, and what ``Connection/transaction(_:_:)`` throws; ``PostgresError/stopped`` when the
    ///   task was cancelled before or between statements.
    package nonisolated func transaction<Value: Sendable>(
        _ isolation: Isolation = .readCommitted,
        _ body: @escaping @Sendable (borrowing Transaction) throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        try await run { connection throws(PostgresError) in try connection.transaction(isolation, body) }
    }

    /// Lends the connection to `body` on its thread, for everything that is not one transaction.
    package nonisolated func run<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        guard calls.add(1, ordering: .relaxed).newValue <= Self.callsMax else {
            calls.subtract(1, ordering: .relaxed)
            throw .limitExceeded(what: "calls waiting for a connection", limit: Self.callsMax)
        }
        defer { calls.subtract(1, ordering: .relaxed) }
        let call = lastCall.add(1, ordering: .relaxed).newValue
        let result = await withTaskCancellationHandler {
            await perform(call, body)
        } onCancel: {
            // Under the lock, so that the request cannot hit the statement of the next call.
            running.withLock { if $0?.call == call { $0?.canceller.cancelRunningStatement() } }
        }
        return try result.get()
    }

    /// Ends the session; a later call opens another.
    package func close() {
        connection?.close()
        connection = nil
    }

    private func perform<Value: Sendable>(
        _ call: Int,
        _ body: @Sendable (Connection) throws(PostgresError) -> Value
    ) -> Result<Value, PostgresError> {
        if Task.isCancelled { return .failure(.stopped) }
        return Result { () throws(PostgresError) -> Value in
            let connection = try usableConnection()
            let canceller = connection.canceller
            running.withLock { $0 = (call, canceller) }
            defer { running.withLock { $0 = nil } }
            return try body(connection)
        }
    }

    private func usableConnection() throws(PostgresError) -> Connection {
        if let connection, connection.looksUsable() { return connection }
        let opened = try Connection(configuration)
        connection = opened
        return opened
    }
}
