import Foundation
import Postgres
import TestSupport

extension TestDatabase {
    /// Ends all sessions of this database and lets none in, as if its server were away; other tests go on.
    func lockOut() throws {
        try administer("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
        // Sessions that were just being opened come after the first time.
        for _ in 0..<3 {
            try administer(
                """
                SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                WHERE datname = '\(name)' AND pid <> pg_backend_pid()
                """
            )
        }
    }

    /// Lets sessions in again.
    func letIn() throws { try administer("ALTER DATABASE \(name) ALLOW_CONNECTIONS true") }

    /// Creates a database beside this one, empty; the caller drops it.
    func createSibling(_ suffix: String) throws -> String {
        try administer("CREATE DATABASE \(name)_\(suffix) TEMPLATE template0")
        return "\(name)_\(suffix)"
    }

    func dropSibling(_ sibling: String) throws { try administer("DROP DATABASE \(sibling) WITH (FORCE)") }

    private func administer(_ sql: String) throws {
        let connection = try Connection(try Self.cluster())
        defer { connection.close() }
        try connection.execute(sql)
    }
}
