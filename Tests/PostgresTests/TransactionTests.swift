import Postgres
import TestSupport
import Testing

@Suite(.database, .timeLimit(.minutes(10)))
struct TransactionTests {
    static let insert = Statement(name: "insert_item", sql: "INSERT INTO item VALUES ($1)")
    static let count = Statement(name: "count_items", sql: "SELECT count(*) FROM item", isReadOnly: true)

    private func run(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        try await TestDatabase.current.run { connection throws in
            try connection.execute("CREATE TABLE item (id bigint CONSTRAINT item_pkey PRIMARY KEY)")
            try body(connection)
        }
    }

    @Test func `a transaction is committed when its body returns`() async throws {
        try await run { connection throws in
            let seen = try connection.transaction { tx throws(PostgresError) in
                try tx.query(Self.insert, [.int8(1)])
                try tx.query(Self.insert, [.int8(2)])
                return try tx.query(Self.count).int64(0, 0)
            }
            #expect(seen == 2)
            #expect(try connection.query(Self.count).int64(0, 0) == 2)
        }
    }

    @Test func `a transaction is rolled back when its body throws`() async throws {
        try await run { connection throws in
            #expect(throws: PostgresError.misuse("enough")) {
                try connection.transaction { tx throws(PostgresError) in
                    try tx.query(Self.insert, [.int8(1)])
                    throw .misuse("enough")
                }
            }
            #expect(try connection.query(Self.count).int64(0, 0) == 0)
        }
    }

    @Test func `a transaction whose statement fails is rolled back, and the next one works`() async throws {
        try await run { connection throws in
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction { tx throws(PostgresError) in
                    try tx.query(Self.insert, [.int8(1)])
                    try tx.query(Self.insert, [.int8(1)])
                }
            }
            #expect(error?.constraint == "item_pkey")
            try connection.transaction { tx throws(PostgresError) in _ = try tx.query(Self.insert, [.int8(7)]) }
            #expect(try connection.query(Self.count).int64(0, 0) == 1)
        }
    }

    @Test func `a body that swallows a statement's error is told that nothing was committed`() async throws {
        try await run { connection throws in
            #expect(throws: PostgresError.transactionRolledBack) {
                try connection.transaction { tx throws(PostgresError) in
                    try tx.query(Self.insert, [.int8(1)])
                    _ = try? tx.query(Self.insert, [.int8(1)])
                }
            }
            #expect(try connection.query(Self.count).int64(0, 0) == 0)
        }
    }

    @Test func `a transaction in which nothing is asked sends nothing`() async throws {
        try await run { connection throws in
            #expect(try connection.transaction { _ throws(PostgresError) in 5 } == 5)
            #expect(connection.isHealthy)
        }
    }

    @Test func `the last queries can take the commit with them`() async throws {
        try await run { connection throws in
            try connection.transaction { tx throws(PostgresError) in
                let rows = try tx.commit(after: [Query(Self.insert, [.int8(1)]), Query(Self.count)])
                #expect(rows.count == 2)
                #expect(rows[1].int64(0, 0) == 1)
                #expect(throws: PostgresError.misuse("the transaction has been committed")) { try tx.query(Self.count) }
            }
            let rows = try connection.transaction(
                .serializable,
                queries: [Query(Self.insert, [.int8(2)]), Query(Self.count)]
            )
            #expect(rows[1].int64(0, 0) == 2)
        }
    }

    @Test func `queries with their commit are all undone when one fails`() async throws {
        try await run { connection throws in
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction(queries: [Query(Self.insert, [.int8(1)]), Query(Self.insert, [.int8(1)])])
            }
            #expect(error?.state == .uniqueViolation)
            #expect(try connection.query(Self.count).int64(0, 0) == 0)
        }
    }

    @Test func `a transaction cannot contain another, nor be passed by`() async throws {
        try await run { connection throws in
            try connection.transaction { tx throws(PostgresError) in
                #expect(throws: PostgresError.self) { try connection.transaction { _ throws(PostgresError) in } }
                #expect(throws: PostgresError.self) { try connection.query(Self.count) }
                #expect(throws: PostgresError.self) { try connection.execute("SELECT 1") }
                try tx.execute("INSERT INTO item VALUES (1); INSERT INTO item VALUES (2)")
            }
            #expect(try connection.query(Self.count).int64(0, 0) == 2)
        }
    }

    @Test func `a snapshot does not see what is committed meanwhile, and refuses changes`() async throws {
        let database = TestDatabase.current
        try await run { connection throws in
            let other = try database.connect()
            try connection.transaction(.snapshot) { tx throws(PostgresError) in
                let before = try tx.query(Self.count).int64(0, 0)
                try other.query(Self.insert, [.int8(1)])
                let after = try tx.query(Self.count).int64(0, 0)
                #expect(before == 0 && after == 0)
            }
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction(.snapshot) { tx throws(PostgresError) in
                    _ = try tx.query(Self.insert, [.int8(2)])
                }
            }
            #expect(error?.state == .readOnlyTransaction)
        }
    }

    @Test func `the loser of two serializable transactions is told to try again`() async throws {
        let database = TestDatabase.current
        try await run { connection throws in
            let other = try database.connect()
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction(.serializable) { tx throws(PostgresError) in
                    let seen = try tx.query(Self.count).int64(0, 0)
                    try other.transaction(.serializable) { tx throws(PostgresError) in
                        let seen = try tx.query(Self.count).int64(0, 0)
                        try tx.query(Self.insert, [.int8(seen + 1)])
                    }
                    try tx.query(Self.insert, [.int8(seen + 2)])
                }
            }
            #expect(error?.state == .serializationFailure)
            #expect(error?.isRetryable == true)
        }
    }
}
