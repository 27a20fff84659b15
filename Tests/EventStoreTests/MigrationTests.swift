import EventStore
import Foundation
import LedgerCore
import Postgres
import TestSupport
import Testing

/// The schema's steps: in order, once, and only those that we know.
@Suite("Migrations", .database, .timeLimit(.minutes(10)))
struct MigrationTests {
    /// Runs with a database that has no schema of ours.
    private func onEmptyDatabase(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
        try await TestDatabase.current.run { connection throws in
            try connection.execute("DROP SCHEMA ledger, projection, access, ledger_schema CASCADE")
            try body(connection)
        }
    }

    @Test func `the list is the folder`() throws {
        let folder = SharedFolder.packageRoot.appending(path: "migrations")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sql") }
        #expect(Migrations.steps.map { $0.name + ".sql" } == files.sorted())
        for step in Migrations.steps {
            #expect(try String(contentsOf: folder.appending(path: step.name + ".sql"), encoding: .utf8) == step.sql)
        }
        #expect(Migrations.newest == files.count)
    }

    @Test func `applied twice, the second time does nothing`() async throws {
        try await onEmptyDatabase { connection throws in
            #expect(try Migrations.apply(to: connection) == Migrations.newest)
            #expect(try Migrations.apply(to: connection) == 0)
            try Migrations.verify(connection)
            #expect(try EventReader(connection).head().position == .start)
        }
    }

    @Test func `four at once take each step once`() async throws {
        try await onEmptyDatabase { _ in }
        let database = TestDatabase.current
        let taken = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { try await database.run { try Migrations.apply(to: $0) } } }
            return try await group.reduce(0, +)
        }
        #expect(taken == Migrations.newest)
        try await database.run { try Migrations.verify($0) }
    }

    /// The error of a call, which must fail.
    private static func failure(_ body: () throws(MigrationError) -> Void) -> String {
        do throws(MigrationError) { try body() } catch { return error.description }
        return "it did not fail"
    }

    @Test(arguments: [
        "UPDATE ledger_schema.migrations SET checksum = sha256('other') WHERE step = 1",
        "UPDATE ledger_schema.migrations SET name = '0001_ledger_changed' WHERE step = 1",
    ])
    func `a changed step is refused by name`(_ change: String) async throws {
        try await TestDatabase.current.run { connection throws in
            try connection.execute(change)
            for sentence in [
                Self.failure { () throws(MigrationError) in try Migrations.verify(connection) },
                Self.failure { () throws(MigrationError) in try Migrations.apply(to: connection) },
            ] {
                #expect(sentence.hasPrefix("The schema step 0001_ledger"))
                #expect(
                    sentence.hasSuffix(
                        " is not the one that this database was made with: run the ledgerd that made it."
                    )
                )
            }
        }
    }

    @Test func `a newer schema is refused and left alone`() async throws {
        try await TestDatabase.current.run { connection throws in
            let newer = Migrations.newest + 1
            try connection.execute("INSERT INTO ledger_schema.migrations VALUES (\(newer), 'later', 'x')")
            let expected =
                "The database has schema step \(newer), and this program knows \(Migrations.newest): run a newer ledgerd."
            #expect(Self.failure { () throws(MigrationError) in try Migrations.verify(connection) } == expected)
            #expect(Self.failure { () throws(MigrationError) in try Migrations.apply(to: connection) } == expected)
        }
    }

    @Test func `a database that is behind is refused by verify`() async throws {
        let need = Migrations.newest
        try await TestDatabase.current.run { connection throws in
            try connection.execute("DELETE FROM ledger_schema.migrations WHERE step = \(need)")
            #expect(
                Self.failure { () throws(MigrationError) in try Migrations.verify(connection) }
                    == "The database has schema step \(need - 1) of \(need): run ledgerd migrate."
            )
        }
    }

    @Test func `a database without schema is behind from the start`() async throws {
        try await onEmptyDatabase { connection throws in
            #expect(
                Self.failure { () throws(MigrationError) in try Migrations.verify(connection) }
                    == "The database has schema step 0 of \(Migrations.newest): run ledgerd migrate."
            )
        }
    }

    @Test func `the daemon's role can verify and cannot migrate`() async throws {
        try await TestDatabase.current.asDaemon { try Migrations.verify($0) }
        try await onEmptyDatabase { _ in }
        try await TestDatabase.current.asDaemon { connection throws in
            let sentence = Self.failure { () throws(MigrationError) in try Migrations.apply(to: connection) }
            #expect(sentence.hasPrefix("The schema could not be read or changed: "))
            #expect(sentence.contains("insufficient_privilege"))
        }
    }
}
