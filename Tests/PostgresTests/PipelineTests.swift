import Postgres
import TestSupport
import Testing

@Suite(.database, .timeLimit(.minutes(10)))
struct PipelineTests {
    static let echo = Statement(name: "echo", sql: "SELECT $1::int8", isReadOnly: true)
    static let insert = Statement(name: "insert_item", sql: "INSERT INTO item VALUES ($1)")
    static let all = Statement(name: "all", sql: "SELECT array_agg(id ORDER BY id) FROM item", isReadOnly: true)

    private func run(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        try await TestDatabase.current.run { connection throws in
            try connection.execute(
                "CREATE TABLE item (id bigint CONSTRAINT item_once UNIQUE DEFERRABLE INITIALLY DEFERRED CHECK (id > 0))"
            )
            try body(connection)
        }
    }

    @Test func `answers come in the order of the questions`() async throws {
        try await run { connection throws in
            let rows = try connection.pipeline((0..<500).map { Query(Self.echo, [.int8($0)]) })
            #expect(rows.map { $0.int64(0, 0) } == Array(0..<500))
        }
    }

    @Test func `a pipeline with an error in the middle changes nothing`() async throws {
        try await run { connection throws in
            let error = #expect(throws: PostgresError.self) {
                try connection.pipeline([1, 2, -3, 4].map { Query(Self.insert, [.int8($0)]) })
            }
            #expect(error?.state == .checkViolation)
            #expect(try connection.query(Self.all).isNull(0, 0))
        }
    }

    @Test func `units of a pipeline fail alone`() async throws {
        try await run { connection throws in
            let outcomes = try connection.pipeline(units: [
                [Query(Self.insert, [.int8(1)]), Query(Self.insert, [.int8(2)])],
                [Query(Self.insert, [.int8(3)]), Query(Self.insert, [.int8(-1)]), Query(Self.insert, [.int8(4)])],
                [Query(Self.insert, [.int8(5)]), Query(Self.all)],
            ])
            #expect(outcomes.map { $0.failure?.state } == [nil, .checkViolation, nil])
            #expect(try outcomes[2].get()[1].int64s(0, 0) == [1, 2, 5])
        }
    }

    @Test func `a constraint that is checked at the commit fails its unit`() async throws {
        try await run { connection throws in
            let outcomes = try connection.pipeline(units: [
                [Query(Self.insert, [.int8(1)]), Query(Self.insert, [.int8(1)])],
                [Query(Self.insert, [.int8(2)]), Query(Self.all)],
            ])
            #expect(outcomes[0].failure?.constraint == "item_once")
            #expect(try outcomes[1].get()[1].int64s(0, 0) == [2])
            #expect(try connection.query(Self.all).int64s(0, 0) == [2])
        }
    }

    @Test func `a statement that cannot be prepared fails where it is used, with the reason`() async throws {
        try await run { connection throws in
            let wrong = Statement(name: "wrong", sql: "SELECT nothing FROM nowhere")
            let outcomes = try connection.pipeline(units: [
                [Query(Self.insert, [.int8(1)])], [Query(wrong)], [Query(Self.insert, [.int8(2)])], [Query(wrong)],
            ])
            #expect(outcomes.map { $0.failure?.state } == [nil, .undefinedTable, nil, .undefinedTable])
            // It is not remembered as prepared: once the table is there, it works.
            try connection.execute("CREATE TABLE nowhere (nothing int)")
            #expect(try connection.query(wrong).isEmpty)
        }
    }

    @Test func `more than the buffers hold in both directions does not block`() async throws {
        try await run { connection throws in
            let echo = Statement(name: "echo_bytes", sql: "SELECT $1", isReadOnly: true)
            let bytes = [UInt8](repeating: 7, count: 64 << 10)
            let rows = try connection.pipeline((0..<400).map { _ in Query(echo, [.bytea(bytes)]) })
            #expect(rows.allSatisfy { $0.withBytes(0, 0) { $0.count } == bytes.count })
        }
    }

    @Test func `a pipeline has a limit, and sends nothing past it`() async throws {
        try await run { connection throws in
            let limit = Connection.pipelineQueriesMax
            #expect(throws: PostgresError.limitExceeded(what: "queries in a pipeline", limit: limit)) {
                try connection.pipeline(Array(repeating: Query(Self.insert, [.int8(1)]), count: limit + 1))
            }
            #expect(try connection.pipeline([]).isEmpty)
            #expect(try connection.query(Self.all).isNull(0, 0))
        }
    }

    @Test func `a COPY sent as a query ends the connection instead of hanging`() async throws {
        try await run { connection throws in
            #expect(throws: PostgresError.self) {
                try connection.query(Statement(name: "copy", sql: "COPY item TO STDOUT"))
            }
            #expect(!connection.isHealthy)
        }
    }
}
