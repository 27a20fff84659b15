import Postgres
import TestSupport
import Testing
import Threads

@Suite(.database, .timeLimit(.minutes(10)))
struct ConnectingTests {
    @Test func `an unknown database is refused with its code`() async throws {
        try await offPool {
            var configuration = try TestDatabase.cluster()
            configuration.database = "no_such_database"
            let error = #expect(throws: PostgresError.self) { try Connection(configuration) }
            #expect(error?.state == .invalidDatabase)
            #expect(error?.description == "PostgreSQL refused the connection with invalid_catalog_name (3D000).")
        }
    }

    @Test(arguments: ["host=/nowhere/at/all dbname=x", "host=/nowhere/at/all,/nor/here dbname=x"])
    func `a server that is not there is reported at once`(conninfo: String) async throws {
        try await offPool {
            let error = #expect(throws: PostgresError.self) { try Connection(PostgresConfiguration(conninfo)) }
            guard case .cannotConnect(_, nil) = error else {
                Issue.record("unexpected \(String(describing: error))")
                return
            }
            #expect(error?.isRetryable == true)
        }
    }

    @Test func `a connection string with a mistake is refused without quoting it`() async throws {
        try await offPool {
            let error = #expect(throws: PostgresError.self) {
                try Connection(PostgresConfiguration("host=/tmp passwort=geheim"))
            }
            #expect(error?.debugDescription.contains("geheim") == false)
        }
    }

    @Test func `a URL and the settings of the session reach the server`() async throws {
        try await offPool {
            var configuration = try TestDatabase.cluster()
            let words = configuration.conninfo.split(separator: " ").map { $0.split(separator: "=") }
            let options = Dictionary(uniqueKeysWithValues: words.map { ($0[0], $0[1]) })
            configuration.conninfo =
                "postgresql:///postgres?host=\(options["host", default: ""])&user=\(options["user", default: ""])"
                + "&options=-c%20work_mem%3D7MB"
            configuration.applicationName = "a name with spaces"
            configuration.statementTimeout = .milliseconds(1_234)
            configuration.lockTimeout = .seconds(2)
            configuration.idleInTransactionTimeout = .microseconds(1)
            configuration.settings = ["search_path": #""a b", "c\d""#, "synchronous_commit": "off"]
            let connection = try Connection(configuration)
            let show = Statement(name: "show", sql: "SELECT current_setting(name) FROM unnest($1) AS name")
            let names = [
                "application_name", "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout",
                "search_path", "synchronous_commit", "work_mem", "client_encoding",
            ]
            let rows = try connection.query(show, [.textArray(names)])
            #expect(
                rows.indices.map { rows.text($0, 0) } == [
                    "a name with spaces", "1234ms", "2s", "1ms", #""a b", "c\d""#, "off", "7MB", "UTF8",
                ]
            )
        }
    }

    @Test func `a stopped signal ends the attempt to connect`() async throws {
        try await offPool {
            let signal = try WaitSignal()
            signal.stop()
            #expect(throws: PostgresError.stopped) { try Connection(TestDatabase.cluster(), signal: signal) }
        }
    }

    @Test func `a closed connection says so`() async throws {
        try await TestDatabase.current.run { connection throws in
            connection.close()
            #expect(!connection.isHealthy)
            #expect(throws: PostgresError.closed) { try connection.execute("SELECT 1") }
            #expect(throws: PostgresError.closed) { try connection.query(Statement(name: "one", sql: "SELECT 1")) }
        }
    }

    @Test func `descriptors and memory of connections come back`() async throws {
        await #expect(processExitsWith: .success) {
            let configuration = try TestDatabase.cluster()
            let signal = try WaitSignal()
            func round(_ number: Int) throws {
                let connection = try Connection(configuration, signal: signal)
                try connection.query(Statement(name: "one", sql: "SELECT 1"))
                if number.isMultiple(of: 2) { connection.close() }
                _ = try? Connection(PostgresConfiguration("host=/nowhere"))
                let lost = try Connection(configuration)
                _ = try? lost.execute("SELECT pg_terminate_backend(pg_backend_pid())")
                _ = try WaitSignal()
            }
            // Whatever the process opens once, it opens now.
            try round(0)
            let before = try openDescriptors()
            for number in 1...20 { try round(number) }
            let after = try openDescriptors()
            precondition(before == after, "\(before) descriptors became \(after)")
        }
    }
}
