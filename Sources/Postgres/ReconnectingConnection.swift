package import Threads

/// A blocking connection that is opened again after a loss.
///
/// It never repeats work by itself: only its owner knows whether that is right.
package final class ReconnectingConnection {
    package let configuration: PostgresConfiguration
    /// How long one call of ``run(_:)`` tries to get a session.
    package let patience: Duration
    private let signal: WaitSignal
    private let prepare: (Connection) throws(PostgresError) -> Void
    private var backoff: Backoff
    private var generator: any RandomNumberGenerator
    private var connection: Connection?

    /// The first session is opened by the first call of ``run(_:)``.
    ///
    /// The signal's stop ends waiting for a session; a wake makes the next attempt at once. `prepare` runs on each new
    /// session before it is used, for LISTEN.
    package init(
        _ configuration: PostgresConfiguration,
        signal: WaitSignal,
        backoff: Backoff = Backoff(),
        patience: Duration = .seconds(60),
        generator: any RandomNumberGenerator = SystemRandomNumberGenerator(),
        prepare: @escaping (Connection) throws(PostgresError) -> Void = { _ throws(PostgresError) in }
    ) {
        self.configuration = configuration
        self.signal = signal
        self.backoff = backoff
        self.patience = patience
        self.generator = generator
        self.prepare = prepare
    }

    /// Lends a usable connection, waiting for one if need be.
    ///
    /// - Throws: what the body threw; when no session could be had, the last reason (``PostgresError/stopped`` after a
    ///   stop, at once for a refusal that will not change, after ``patience`` otherwise).
    package func run<Value>(
        _ body: (Connection) throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
        let connection = try usableConnection()
        defer { if !connection.isHealthy { self.connection = nil } }
        return try body(connection)
    }

    /// Ends the session; the next ``run(_:)`` opens another.
    package func close() {
        connection?.close()
        connection = nil
    }

    private func usableConnection() throws(PostgresError) -> Connection {
        if let connection, connection.looksUsable() { return connection }
        close()
        let deadline = ContinuousClock.now + patience
        while true {
            if signal.isStopped { throw .stopped }
            do throws(PostgresError) {
                let opened = try Connection(configuration, signal: signal)
                try prepare(opened)
                connection = opened
                backoff.reset()
                return opened
            } catch {
                guard error.isRetryable || error.isConnectionLost, ContinuousClock.now < deadline else { throw error }
            }
            _ = signal.wait(for: min(backoff.next(using: &generator), deadline - .now))
        }
    }
}

@available(*, unavailable)
extension ReconnectingConnection: Sendable {}

extension Connection {
    /// Whether the session is usable as far as can be seen without asking the server.
    func looksUsable() -> Bool {
        do throws(PostgresError) {
            try checkUsable()
            return true
        } catch {
            return false
        }
    }
}
