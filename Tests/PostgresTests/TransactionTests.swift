import Postgres
import TestSupport
import Testing

@Suite(.database, .timeLimit(.minutes(1)))
struct TransactionTests {
    static let insert = Statement(name: "insert_item", sql: "INSERT INTO item VALUES ($1)")
    static let count = Statement(name: "count_items", sql: "SELECT count(*) FROM item", isReadOnly: true)

    private func prepare(_ connection: Connection) throws {
        try connection.execute("CREATE TABLE item (id bigint CONSTRAINT item_pkey PRIMARY KEY)")
    }

    @Test func `a transaction is committed when its body returns`() async throws {
        try await TestDatabase.current.run { connection in
            try prepare(connection)
            let seen = try connection.transaction { tx throws(PostgresError) in
                try tx.query(Self.insert, [.int8(1)])
                try tx.query(Self.insert, [.int8(2)])
                return try tx.query(Self.count).int64(0, 0)
            }
            #expect(seen == 2)
            #expect(try connection.query(Self.count).int64(0, 0) == 2)
        }
    }
}
