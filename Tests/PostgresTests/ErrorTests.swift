import TestSupport
import Testing

@testable import Postgres

@Suite(.database, .timeLimit(.minutes(10)))
struct ErrorTests {
    static let schema = """
        CREATE TABLE item (
            id bigint CONSTRAINT item_pkey PRIMARY KEY,
            amount int CONSTRAINT amount_positive CHECK (amount > 0),
            owner bigint CONSTRAINT owner_known REFERENCES item (id));
        INSERT INTO item VALUES (1, 1, NULL);
        """

    static let refusals: [(sql: String, state: SQLState, constraint: String?)] = [
        ("INSERT INTO item VALUES (1, 1, NULL)", .uniqueViolation, "item_pkey"),
        ("INSERT INTO item VALUES (2, 0, NULL)", .checkViolation, "amount_positive"),
        ("INSERT INTO item VALUES (2, 1, 77)", .foreignKeyViolation, "owner_known"),
        ("INSERT INTO item VALUES (NULL, 1, NULL)", .notNullViolation, nil),
        ("SELEC 1", .syntaxError, nil),
        ("SELECT * FROM nowhere", .undefinedTable, nil),
        ("SELECT nothing(1)", .undefinedFunction, nil),
    ]

    @Test(arguments: refusals)
    func `a refusal says its code and its constraint, and the connection stays usable`(
        _ refusal: (sql: String, state: SQLState, constraint: String?)
    ) async throws {
        try await TestDatabase.current.run { connection throws in
            try connection.execute(Self.schema)
            let error = #expect(throws: PostgresError.self) {
                try connection.query(Statement(name: "refused", sql: refusal.sql))
            }
            #expect(error?.state == refusal.state)
            #expect(error?.constraint == refusal.constraint)
            #expect(error?.isRetryable == false)
            #expect(try connection.query(Statement(name: "count", sql: "SELECT count(*) FROM item")).int64(0, 0) == 1)
        }
    }

    @Test func `a description has no values, a debug description has them`() async throws {
        try await TestDatabase.current.run { connection throws in
            try connection.execute("CREATE TABLE secret (token text CONSTRAINT token_once UNIQUE)")
            let insert = Statement(name: "insert_secret", sql: "INSERT INTO secret VALUES ($1)")
            try connection.query(insert, [.text("hunter2")])
            let error = try #require(
                #expect(throws: PostgresError.self) { try connection.query(insert, [.text("hunter2")]) }
            )
            #expect(
                error.description
                    == "PostgreSQL refused the statement \"insert_secret\" with unique_violation (23505), "
                    + "constraint token_once, table secret."
            )
            #expect(error.debugDescription.contains("hunter2"))
        }
    }

    @Test func `an exception of a function comes with its own code`() async throws {
        try await TestDatabase.current.run { connection throws in
            let error = #expect(throws: PostgresError.self) {
                try connection.execute("DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = 'LG001'; END $$")
            }
            #expect(error?.state == SQLState(rawValue: "LG001"))
            let plain = #expect(throws: PostgresError.self) {
                try connection.execute("DO $$ BEGIN RAISE EXCEPTION 'no'; END $$")
            }
            #expect(plain?.state == .raiseException)
        }
    }

    @Test func `a role without the right is refused as such`() async throws {
        let database = TestDatabase.current
        try await database.run { connection throws in
            let role = "weak_\(database.name)"
            try connection.execute("CREATE TABLE item (id bigint); CREATE ROLE \(role) LOGIN")
            let weak = try Connection(database.configuration(user: role))
            let error = #expect(throws: PostgresError.self) {
                try weak.query(Statement(name: "insert", sql: "INSERT INTO item VALUES (1)"))
            }
            #expect(error?.state == .insufficientPrivilege)
            weak.close()
            try connection.execute("DROP ROLE \(role)")
        }
    }

    @Test(arguments: [
        (SQLState.serializationFailure, true), (.deadlockDetected, true), (.lockNotAvailable, true),
        (.queryCanceled, true),
        (.adminShutdown, true), (.cannotConnectNow, true), (.diskFull, true), (.tooManyConnections, true),
        (.uniqueViolation, false), (.raiseException, false), (.insufficientPrivilege, false), (.syntaxError, false),
        (.inFailedTransaction, false), (SQLState(rawValue: "57P04"), false), (.objectInUse, true),
    ])
    func `what a server's refusal allows follows from its code`(_ state: SQLState, _ isRetryable: Bool) {
        #expect(PostgresError.server(ServerError(state: state, message: "")).isRetryable == isRetryable)
    }

    @Test func `an unknown outcome must not be repeated, a plain loss may`() {
        #expect(!PostgresError.commitOutcomeUnknown(reason: "").isRetryable)
        #expect(PostgresError.commitOutcomeUnknown(reason: "").isConnectionLost)
        #expect(PostgresError.connectionLost(reason: "").isRetryable)
        #expect(PostgresError.connectionLost(reason: "").isConnectionLost)
        #expect(!PostgresError.cannotConnect(reason: "", state: .invalidPassword).isRetryable)
        #expect(!PostgresError.cannotConnect(reason: "", state: .invalidDatabase).isRetryable)
        #expect(PostgresError.cannotConnect(reason: "", state: .cannotConnectNow).isRetryable)
        #expect(PostgresError.cannotConnect(reason: "", state: nil).isRetryable)
    }

    @Test func `the code of a refused connection is found in libpq's words`() {
        let message = "connection to server on socket \"/tmp/x\" failed: FATAL:  28P01: password authentication failed"
        #expect(SQLState(inVerboseMessage: message) == .invalidPassword)
        #expect(SQLState(inVerboseMessage: "connection refused  here") == nil)
        #expect(SQLState(inVerboseMessage: "") == nil)
    }
}
