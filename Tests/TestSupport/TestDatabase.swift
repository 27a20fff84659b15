import Foundation
package import Postgres
import Synchronization

/// A database of one test: cloned from the migrated template, dropped after the test.
package struct TestDatabase: Sendable {
    package let name: String
    /// Connects as the cluster's superuser.
    package let configuration: PostgresConfiguration

    /// The database of the running test, which must have the trait `.database`.
    package static var current: TestDatabase {
        guard let scoped else { preconditionFailure("TestDatabase.current needs the trait .database") }
        return scoped
    }

    @TaskLocal static var scoped: TestDatabase?

    /// Opens a connection as the superuser.
    package func connect() throws(PostgresError) -> Connection { try Connection(configuration) }

    /// The same database with another role.
    package func configuration(user: String) -> PostgresConfiguration {
        var other = configuration
        other.user = user
        return other
    }

    /// Runs blocking work with a new connection on a thread of its own.
    package func run<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await offPool {
            let connection = try connect()
            defer { connection.close() }
            return try body(connection)
        }
    }
}

// MARK: Life

extension TestDatabase {
    /// Why tests with a database cannot run.
    struct Missing: Error, CustomStringConvertible {
        let description =
            "These tests need PostgreSQL: run them with scripts/test, or as scripts/with-postgres swift test."
    }

    /// The cluster that `scripts/with-postgres` has started.
    package static func cluster() throws -> PostgresConfiguration {
        guard let conninfo = ProcessInfo.processInfo.environment["LEDGERD_TEST_POSTGRES"], !conninfo.isEmpty else {
            throw Missing()
        }
        return PostgresConfiguration(conninfo, applicationName: "ledgerd tests", connectTimeout: .seconds(30))
    }

    private static let counter = Atomic<Int>(0)

    static func create() async throws -> TestDatabase {
        let template = try await template()
        let number = counter.add(1, ordering: .relaxed).newValue
        let name = "test_\(ProcessInfo.processInfo.processIdentifier)_\(number)"
        try await administer("CREATE DATABASE \(name) TEMPLATE \(template)")
        var configuration = try cluster()
        configuration.database = name
        return TestDatabase(name: name, configuration: configuration)
    }

    func drop() async throws {
        try await Self.administer("DROP DATABASE \(name) WITH (FORCE)")
    }

    /// The template is made by the first test that asks and shared by the others of this process.
    ///
    /// It goes away with the cluster of `scripts/with-postgres`.
    private static func template() async throws -> String {
        let task = making.withLock { making in
            if let making { return making }
            // Awaited by every test that needs a database.
            let task = Task { try await makeTemplate() }
            making = task
            return task
        }
        return try await task.value
    }

    private static let making = Mutex<Task<String, any Error>?>(nil)

    private static func makeTemplate() async throws -> String {
        let name = "template_\(ProcessInfo.processInfo.processIdentifier)"
        try await administer("CREATE DATABASE \(name)")
        var configuration = try cluster()
        configuration.database = name
        let template = configuration
        try await offPool {
            let connection = try Connection(template)
            // Closed at once: a database with sessions cannot be cloned.
            defer { connection.close() }
            try prepareTemplate(connection)
        }
        return name
    }

    /// Names come from ``create()`` and ``makeTemplate()``: letters, digits and underscores.
    private static func administer(_ sql: String) async throws {
        let configuration = try cluster()
        try await offPool {
            let connection = try Connection(configuration)
            defer { connection.close() }
            try connection.execute(sql)
        }
    }
}
