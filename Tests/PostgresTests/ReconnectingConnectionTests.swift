import Foundation
import Postgres
import TestSupport
import Testing
import Threads

@Suite(.timeLimit(.minutes(10)))
struct ReconnectingConnectionTests {
    static let one = Statement(name: "one", sql: "SELECT 1", isReadOnly: true)
    static let backoff = Backoff(first: .milliseconds(1), cap: .milliseconds(20))

    @Test func `work goes on after the server was restarted`() async throws {
        try await offPool {
            let cluster = try PrivateCluster()
            defer { try? cluster.remove() }
            var sessions = 0
            let connection = ReconnectingConnection(
                cluster.configuration,
                signal: try WaitSignal(),
                backoff: Self.backoff
            ) { connection throws(PostgresError) in
                sessions += 1
                try connection.listen("ledger")
            }
            func ask() throws -> Int32 {
                try connection.run { connection throws(PostgresError) in
                    try connection.query(Self.one).int32(0, 0)
                }
            }
            #expect(try ask() == 1)
            #expect(try ask() == 1)
            #expect(sessions == 1)
            try cluster.restart()
            // The end of the session is seen before anything is sent, so the caller does not even notice.
            #expect(try ask() == 1)
            #expect(sessions == 2)
            try cluster.crash()
            Thread { @Sendable in try? cluster.start() }.start()
            #expect(try ask() == 1)
            #expect(sessions == 3)
        }
    }

    @Test func `a server that stays away is given up when patience ends`() async throws {
        try await offPool {
            let connection = ReconnectingConnection(
                PostgresConfiguration("host=/nowhere"),
                signal: try WaitSignal(),
                backoff: Self.backoff,
                patience: .milliseconds(30)
            )
            let error = #expect(throws: PostgresError.self) { try connection.run { _ throws(PostgresError) in } }
            guard case .cannotConnect(_, nil) = error else {
                Issue.record("unexpected \(String(describing: error))")
                return
            }
        }
    }

    @Test func `a stop ends waiting for a server`() async throws {
        let signal = try WaitSignal()
        async let waited: PostgresError? = offPool {
            let connection = ReconnectingConnection(
                PostgresConfiguration("host=/nowhere"),
                signal: signal,
                backoff: Backoff(first: .seconds(600), cap: .seconds(600)),
                patience: .seconds(6_000)
            )
            return #expect(throws: PostgresError.self) { try connection.run { _ throws(PostgresError) in } }
        }
        signal.stop()
        #expect(try await waited == .stopped)
    }

    @Test func `a refusal that will not change is reported at once`() async throws {
        try await offPool {
            var configuration = try TestDatabase.cluster()
            configuration.database = "no_such_database"
            let connection = ReconnectingConnection(
                configuration,
                signal: try WaitSignal(),
                backoff: Backoff(first: .seconds(600), cap: .seconds(600))
            )
            let error = #expect(throws: PostgresError.self) { try connection.run { _ throws(PostgresError) in } }
            #expect(error?.state == .invalidDatabase)
        }
    }
}
