import EventStore
import Postgres
import TestSupport
import Testing

/// What a daemon's login may do too much is found, whichever way it came to it (DESIGN invariant 4).
@Suite("Excess rights", .database, .timeLimit(.minutes(10)))
struct ExcessRightsTests {
    /// Runs with a login of this test, in ledger_daemon and with what the script gives it besides, and removes it.
    private func withLogin(_ script: String, _ body: @escaping @Sendable (ExcessRights?) throws -> Void) async throws {
        let database = TestDatabase.current
        let login = "login_\(database.name)"
        try await database.run { owner throws in
            try owner.execute("CREATE ROLE \(login) LOGIN IN ROLE ledger_daemon")
            defer {
                try? owner.execute("RESET ROLE; ALTER DATABASE \(database.name) OWNER TO CURRENT_USER")
                try? owner.execute("DROP ROLE IF EXISTS \(login)_group")
                try? owner.execute("DROP OWNED BY \(login) CASCADE; DROP ROLE \(login)")
            }
            try owner.execute(script.replacing("LOGIN", with: login).replacing("TESTED", with: database.name))
            // As the daemon connects: in another role than its login.
            var session = database.configuration(user: login)
            session.settings["role"] = "ledger_daemon"
            let daemon = try Connection(session)
            defer { daemon.close() }
            try body(try DaemonRights.excess(of: daemon))
        }
    }

    @Test(arguments: [
        ("ALTER ROLE LOGIN SUPERUSER", "it is a superuser", 1),
        ("ALTER ROLE LOGIN SUPERUSER CREATEDB; GRANT ledger_owner TO LOGIN", "it is a superuser", 1),
        ("ALTER ROLE LOGIN CREATEROLE", "it has the attribute CREATEROLE", 1),
        ("ALTER ROLE LOGIN REPLICATION", "it has the attribute REPLICATION", 1),
        ("ALTER ROLE LOGIN BYPASSRLS CREATEDB", "it has the attribute BYPASSRLS", 2),
        ("ALTER TABLE ledger.events OWNER TO LOGIN", "it owns the table ledger.events", 1),
        ("ALTER TABLE access.tokens OWNER TO LOGIN", "it owns the table access.tokens", 1),
        ("ALTER FUNCTION ledger.refuse_change() OWNER TO LOGIN", "it owns the function ledger.refuse_change", 1),
        ("ALTER SCHEMA ledger OWNER TO LOGIN", "it owns the schema ledger", 1),
        ("ALTER DATABASE TESTED OWNER TO LOGIN", "it owns the database TESTED", 1),
        ("GRANT INSERT ON ledger.events TO LOGIN", "it has the right INSERT on the table ledger.events", 1),
        ("GRANT UPDATE (payload) ON ledger.events TO LOGIN", "it has the right UPDATE on the table ledger.events", 1),
        ("GRANT DELETE ON ledger.events TO PUBLIC", "it has the right DELETE on the table ledger.events", 1),
        (
            "GRANT TRUNCATE ON ledger.header_segments TO LOGIN",
            "it has the right TRUNCATE on the table ledger.header_segments", 1
        ),
        ("GRANT TRIGGER ON ledger.events TO LOGIN", "it has the right TRIGGER on the table ledger.events", 1),
        ("GRANT UPDATE ON ledger.head TO ledger_daemon", "it has the right UPDATE on the table ledger.head", 1),
        ("GRANT INSERT ON access.tokens TO LOGIN", "it has the right INSERT on the table access.tokens", 1),
        ("GRANT CREATE ON SCHEMA ledger TO LOGIN", "it has the right CREATE on the schema ledger", 1),
        (
            "GRANT pg_execute_server_program TO LOGIN",
            #"through the role "pg_execute_server_program" it may reach files and programs of the server"#, 1
        ),
        // Each of the five tables, and three rights on each.
        ("GRANT pg_write_all_data TO LOGIN", "it has the right DELETE on the table access.tokens", 15),
        // A role that it does not inherit from, and can become all the same.
        (
            "ALTER ROLE LOGIN NOINHERIT; CREATE ROLE LOGIN_group SUPERUSER ROLE LOGIN",
            #"through the role "LOGIN_group" it is a superuser"#, 1
        ),
    ])
    func `a right too many is named`(_ script: String, _ gravest: String, _ count: Int) async throws {
        let name = TestDatabase.current.name
        try await withLogin(script) { excess throws in
            let excess = try #require(excess)
            #expect(excess.login == "login_\(name)")
            #expect(excess.gravest == gravest.replacing("LOGIN", with: excess.login).replacing("TESTED", with: name))
            #expect(excess.count == count)
        }
    }

    @Test func `who may become the owner of the log is found`() async throws {
        try await withLogin("GRANT ledger_owner TO LOGIN") { excess throws in
            let sentence = try #require(excess).description
            #expect(sentence.contains(#"through the role "ledger_owner" it owns the "#), "\(sentence)")
            #expect(sentence.contains(" more such rights. Let "), "\(sentence)")
        }
    }

    @Test func `a login with the rights of a daemon has none too many`() async throws {
        try await withLogin("GRANT ledger_reader, ledger_auditor, pg_monitor TO LOGIN") { #expect($0 == nil) }
    }

    @Test func `the sentence says what to do`() async throws {
        let name = TestDatabase.current.name
        try await withLogin("ALTER ROLE LOGIN CREATEDB REPLICATION") { excess throws in
            #expect(
                excess?.description
                    == "The database login \"login_\(name)\" may do more than append and read: it has the attribute "
                    + "CREATEDB, and has 1 more such right. Let \"database\" name a login whose only right is to be in "
                    + "ledger_daemon (CREATE ROLE ledgerd LOGIN IN ROLE ledger_daemon), or set \"development\": true "
                    + "where nothing is at stake."
            )
        }
    }
}
