import Postgres
import TestSupport
import Testing

/// What callers learn when the server goes away at an awkward moment.
@Suite(.database, .timeLimit(.minutes(10)))
struct LossTests {
    static let processID = Statement(name: "pid", sql: "SELECT pg_backend_pid()", isReadOnly: true)
    static let terminate = Statement(name: "terminate", sql: "SELECT pg_terminate_backend($1, 10000)")
    static let endItself = "SELECT pg_terminate_backend(pg_backend_pid())"
    static let insert = Statement(name: "insert_item", sql: "INSERT INTO item VALUES ($1)")

    private func run(_ body: @escaping @Sendable (Connection, _ other: Connection) throws -> Void) async throws {
        let database = TestDatabase.current
        try await database.run { connection throws in
            try connection.execute("CREATE TABLE item (id bigint)")
            try body(connection, try database.connect())
        }
    }

    @Test func `a session that ended between two queries is a plain loss`() async throws {
        try await run { connection, other throws in
            let process = try connection.query(Self.processID).int32(0, 0)
            #expect(try other.query(Self.terminate, [.int4(process)]).bool(0, 0))
            let error = #expect(throws: PostgresError.self) { try connection.query(Self.insert, [.int8(1)]) }
            #expect(error == .connectionLost(reason: "the server ended the session with admin_shutdown (57P01)"))
            #expect(!connection.isHealthy)
            #expect(throws: try #require(error)) { try connection.query(Self.processID) }
        }
    }

    @Test func `a session that ends during a read is a plain loss`() async throws {
        try await run { connection, _ throws in
            let error = #expect(throws: PostgresError.self) {
                try connection.query(Statement(name: "end", sql: Self.endItself, isReadOnly: true))
            }
            #expect(error == .connectionLost(reason: "the server ended the session with admin_shutdown (57P01)"))
        }
    }

    @Test func `a session that ends during a change of its own leaves the outcome unknown`() async throws {
        try await run { connection, _ throws in
            let error = #expect(throws: PostgresError.self) {
                try connection.query(Statement(name: "end", sql: Self.endItself))
            }
            guard case .commitOutcomeUnknown = error else {
                Issue.record("unexpected \(String(describing: error))")
                return
            }
        }
    }

    @Test func `a session that ends inside a transaction has changed nothing`() async throws {
        try await run { connection, other throws in
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction { tx throws(PostgresError) in
                    try tx.query(Self.insert, [.int8(1)])
                    try tx.query(Statement(name: "end", sql: Self.endItself))
                }
            }
            guard case .connectionLost = error else {
                Issue.record("unexpected \(String(describing: error))")
                return
            }
            #expect(try other.query(Statement(name: "count", sql: "SELECT count(*) FROM item")).int64(0, 0) == 0)
        }
    }

    /// A deferred trigger ends the session inside COMMIT, after COMMIT has been sent and before it is done.
    static let endsInCommit = """
        CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER end_session AFTER INSERT ON item DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION end_session();
        """

    enum Way: CaseIterable { case commitOnItsOwn, commitWithTheLastQuery, oneQuery, oneScript, copy }

    @Test(arguments: Way.allCases)
    func `a session that ends during COMMIT leaves the outcome unknown`(_ way: Way) async throws {
        try await run { connection, _ throws in
            try connection.execute(Self.endsInCommit)
            let error = #expect(throws: PostgresError.self) {
                switch way {
                case .commitOnItsOwn:
                    try connection.transaction { tx throws(PostgresError) in _ = try tx.query(Self.insert, [.int8(1)]) }
                case .commitWithTheLastQuery:
                    _ = try connection.transaction(queries: [Query(Self.insert, [.int8(1)])])
                case .oneQuery: try connection.query(Self.insert, [.int8(1)])
                case .oneScript: try connection.execute("INSERT INTO item VALUES (1)")
                case .copy:
                    _ = try connection.copyIn(rows: "COPY item FROM STDIN (FORMAT binary)") {
                        rows throws(PostgresError) in
                        try rows.append([.int8(1)])
                    }
                }
            }
            guard case .commitOutcomeUnknown = error else {
                Issue.record("unexpected \(String(describing: error))")
                return
            }
            #expect(error?.isRetryable == false)
        }
    }

    @Test func `units behind a lost session are unknown when they change something and lost when they read`()
        async throws
    {
        try await run { connection, other throws in
            let outcomes = try connection.pipeline(units: [
                [Query(Self.insert, [.int8(1)])],
                [Query(Statement(name: "end", sql: Self.endItself, isReadOnly: true))],
                [Query(Self.insert, [.int8(2)])],
                [Query(Self.processID)],
            ])
            #expect((try? outcomes[0].get()) != nil)
            #expect(outcomes[1].failure?.isRetryable == true)
            guard case .commitOutcomeUnknown? = outcomes[2].failure, case .connectionLost? = outcomes[3].failure else {
                Issue.record("unexpected \(outcomes)")
                return
            }
            #expect(try other.query(Statement(name: "all", sql: "SELECT array_agg(id) FROM item")).int64s(0, 0) == [1])
        }
    }

    @Test func `a transaction that waits for us too long is ended`() async throws {
        let database = TestDatabase.current
        try await run { _, other throws in
            var configuration = database.configuration
            configuration.idleInTransactionTimeout = .milliseconds(1)
            let connection = try Connection(configuration)
            let process = try connection.query(Self.processID).int32(0, 0)
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction { tx throws(PostgresError) in
                    try tx.query(Self.insert, [.int8(1)])
                    try other.waitUntilGone(process)
                    try tx.query(Self.insert, [.int8(2)])
                }
            }
            #expect(
                error
                    == .connectionLost(
                        reason: "the server ended the session with idle_in_transaction_session_timeout (25P03)"
                    )
            )
        }
    }

    @Test func `a server that stays silent is given up`() async throws {
        let database = TestDatabase.current
        try await run { _, _ throws in
            var configuration = database.configuration
            configuration.silenceTimeout = .milliseconds(20)
            let connection = try Connection(configuration)
            let error = #expect(throws: PostgresError.self) {
                try connection.query(Statement(name: "sleep", sql: "SELECT pg_sleep(60)", isReadOnly: true))
            }
            #expect(error == .connectionLost(reason: "the server was silent for 0.02 seconds"))
        }
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension Connection {
    /// Blocks until a server process has ended.
    func waitUntilGone(_ process: Int32) throws(PostgresError) {
        let exists = Statement(name: "exists", sql: "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1)")
        while try query(exists, [.int4(process)]).bool(0, 0) {}
    }

    /// Blocks until a server process waits for an event of this name.
    func waitUntil(_ process: Int32, waitsFor event: String) throws(PostgresError) {
        let waits = Statement(
            name: "waits",
            sql: "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = $2)"
        )
        while try !query(waits, [.int4(process), .text(event)]).bool(0, 0) {}
    }
}
