import Postgres
import TestSupport
import Testing

@Suite(.database, .timeLimit(.minutes(10)))
struct PostgresConnectionTests {
    @Test func `concurrent transactions are done one after the other`() async throws {
        let connection = PostgresConnection(TestDatabase.current.configuration)
        try await connection.run { connection throws(PostgresError) in
            try connection.execute("CREATE TABLE counter (value bigint); INSERT INTO counter VALUES (0)")
        }
        let read = Statement(name: "read", sql: "SELECT value FROM counter", isReadOnly: true)
        let write = Statement(name: "write", sql: "UPDATE counter SET value = $1")
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    try? await connection.transaction { tx throws(PostgresError) in
                        let value = try tx.query(read).int64(0, 0)
                        try tx.query(write, [.int8(value + 1)])
                    }
                }
            }
        }
        #expect(
            try await connection.run { connection throws(PostgresError) in try connection.query(read).int64(0, 0) }
                == 200
        )
        await connection.close()
    }

    @Test func `an error of the body comes out as it is`() async throws {
        let connection = PostgresConnection(TestDatabase.current.configuration)
        await #expect(throws: PostgresError.misuse("enough")) {
            try await connection.transaction { _ throws(PostgresError) in throw .misuse("enough") }
        }
    }

    @Test func `a session that was lost is replaced by the next call`() async throws {
        let connection = PostgresConnection(TestDatabase.current.configuration)
        let process = Statement(name: "pid", sql: "SELECT pg_backend_pid()", isReadOnly: true)
        let first = try await connection.transaction { tx throws(PostgresError) in try tx.query(process).int32(0, 0) }
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction { tx throws(PostgresError) in try tx.execute(LossTests.endItself) }
        }
        #expect(error?.isConnectionLost == true)
        let second = try await connection.transaction { tx throws(PostgresError) in try tx.query(process).int32(0, 0) }
        #expect(first != second)
    }

    @Test func `a cancelled task cancels its statement on the server`() async throws {
        let database = TestDatabase.current
        let connection = PostgresConnection(database.configuration)
        let process = try await connection.run { connection throws(PostgresError) in
            try connection.query(LossTests.processID).int32(0, 0)
        }
        let sleeper = Task {
            try await connection.transaction { tx throws(PostgresError) in _ = try tx.query(LimitTests.sleep) }
        }
        try await database.run { try $0.waitUntil(process, waitsFor: "PgSleep") }
        sleeper.cancel()
        let error = await #expect(throws: PostgresError.self) { try await sleeper.value }
        #expect(error?.state == .queryCanceled)
        let later = try await connection.run { connection throws(PostgresError) in
            try connection.query(LossTests.processID).int32(0, 0)
        }
        #expect(later == process)
    }

    @Test func `a task that is cancelled already asks nothing`() async throws {
        let connection = PostgresConnection(TestDatabase.current.configuration)
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await connection.run { connection throws(PostgresError) in try connection.execute("SELECT 1") }
        }
        await #expect(throws: PostgresError.stopped) { try await task.value }
    }

    @Test func `connections and their threads go away with their last reference`() async throws {
        await #expect(processExitsWith: .success) {
            let configuration = try TestDatabase.cluster()
            let before = try openDescriptors()
            for _ in 0..<20 {
                let connection = PostgresConnection(configuration)
                try await connection.run { connection throws(PostgresError) in try connection.execute("SELECT 1") }
            }
            // A thread ends a moment after its last job; the time limit ends the wait if it does not. Three are allowed
            // for what the process itself opens once.
            while try openDescriptors() > before + 3 { await Task.yield() }
        }
    }
}
