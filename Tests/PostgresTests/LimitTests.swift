import Postgres
import TestSupport
import Testing

/// Timeouts and cancellation.
@Suite(.database, .timeLimit(.minutes(10)))
struct LimitTests {
    static let sleep = Statement(name: "sleep", sql: "SELECT pg_sleep(60)", isReadOnly: true)

    @Test func `a statement past its time is cancelled, and the connection stays usable`() async throws {
        var configuration = TestDatabase.current.configuration
        configuration.statementTimeout = .milliseconds(10)
        let limited = configuration
        try await offPool {
            let connection = try Connection(limited)
            let error = #expect(throws: PostgresError.self) { try connection.query(Self.sleep) }
            #expect(error?.state == .queryCanceled)
            #expect(try connection.query(Statement(name: "one", sql: "SELECT 1")).int32(0, 0) == 1)
        }
    }

    @Test func `a lock that is not to be had in time is reported as such`() async throws {
        let database = TestDatabase.current
        var configuration = database.configuration
        configuration.lockTimeout = .milliseconds(10)
        let limited = configuration
        try await database.run { holder throws in
            try holder.execute("CREATE TABLE item (id bigint)")
            try holder.transaction { tx throws(PostgresError) in
                try tx.execute("LOCK TABLE item")
                let other = try Connection(limited)
                let error = #expect(throws: PostgresError.self) {
                    try other.query(Statement(name: "list", sql: "SELECT * FROM item"))
                }
                #expect(error?.state == .lockNotAvailable)
                #expect(error?.isRetryable == true)
            }
        }
    }

    @Test func `a statement can be cancelled from another thread`() async throws {
        let database = TestDatabase.current
        try await database.run { connection throws in
            let process = try connection.query(LossTests.processID).int32(0, 0)
            let canceller = connection.canceller
            let cancelling = Task {
                try await offPool {
                    try database.connect().waitUntil(process, waitsFor: "PgSleep")
                    return canceller.cancelRunningStatement()
                }
            }
            let error = #expect(throws: PostgresError.self) { try connection.query(Self.sleep) }
            #expect(error?.state == .queryCanceled)
            _ = cancelling
            #expect(try connection.query(LossTests.processID).int32(0, 0) == process)
        }
    }

    @Test func `a canceller outlives its connection`() async throws {
        try await TestDatabase.current.run { connection throws in
            let canceller = connection.canceller
            connection.close()
            // Whether the server still knows the session is a matter of moments; that the call is safe is not.
            canceller.cancelRunningStatement()
        }
    }
}
