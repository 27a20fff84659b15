import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// Nothing that is stored depends on transaction ids, sequences or the cluster (DESIGN invariant 3): a dump restored
/// into another cluster is the same ledger.
@Suite("Dump and restore", .timeLimit(.minutes(10)))
struct DumpRestoreTests {
    /// What a cluster holds, comparable with another's.
    private struct Contents: Equatable {
        /// SHA-256 over all rows of each table, by its name.
        var tables: [String: String] = [:]
        /// The documents as they were received, in order of position.
        var texts: [[UInt8]?] = []
        var cursor: Position
        var head: Position
        var facts: FactSnapshot

        init(_ harness: ProjectionHarness) throws {
            let names = try harness.connection.query(Self.listTables)
            for row in names.indices {
                let name = names.text(row, 0)
                let digest = Statement(
                    name: "test_digest_\(name)",
                    sql: """
                        SELECT encode(sha256(convert_to(string_agg(t::text, E'\\n' ORDER BY t::text), 'UTF8')), 'hex')
                        FROM \(name) t
                        """,
                    isReadOnly: true
                )
                tables[name] = try harness.connection.query(digest).optionalText(0, 0) ?? "no row"
            }
            let reader = EventReader(harness.connection)
            texts = try reader.events(after: .start, limit: EventReader.pageMax).map { try reader.receivedText(of: $0) }
            cursor = try harness.projection.position()
            head = try harness.head
            facts = FactSnapshot(try harness.foldedLog())
        }

        private static let listTables = Statement(
            name: "test_tables",
            sql: """
                SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
                WHERE schemaname IN ('ledger', 'ledger_schema', 'projection', 'access') ORDER BY 1
                """,
            isReadOnly: true
        )
    }

    private static func withHarness<Value>(
        _ cluster: PrivateCluster,
        role: String? = "ledger_daemon",
        _ body: (ProjectionHarness) throws -> Value
    ) throws -> Value {
        var session = cluster.configuration
        session.settings["role"] = role
        let connection = try Connection(session)
        defer { connection.close() }
        return try body(ProjectionHarness(connection))
    }

    private static func contents(_ cluster: PrivateCluster) throws -> Contents {
        try withHarness(cluster, role: nil) { try Contents($0) }
    }

    /// A cluster with half of the units folded, and a further quarter only appended.
    private static func original(_ units: [AppendUnit]) throws -> PrivateCluster {
        let cluster = try PrivateCluster()
        try withHarness(cluster, role: nil) { harness in
            try Migrations.apply(to: harness.connection)
            // A cluster with a past of its own, which the other does not have: transaction ids without a position.
            for _ in 1...50 { try harness.connection.execute("BEGIN; SELECT pg_current_xact_id(); ROLLBACK") }
        }
        try withHarness(cluster) { harness in
            try harness.append(Array(units[..<(units.count / 2)]))
            try harness.catchUp()
            try harness.append(Array(units[(units.count / 2)..<(units.count * 3 / 4)]))
        }
        return cluster
    }

    @Test(arguments: [11, 12] as [UInt64])
    func `a ledger that is restored into another cluster is the same, and goes on where it was`(_ seed: UInt64)
        async throws
    {
        try await offPool {
            let units = try Story(seed: seed, count: 240, lines: 6).units(.shared())
            let first = try Self.original(units)
            defer { try? first.remove() }
            let second = try PrivateCluster()
            defer { try? second.remove() }
            try second.restore(try first.dump())

            let before = try Self.contents(first)
            #expect(try Self.contents(second) == before, "seed \(seed)")
            #expect(Position.start < before.cursor && before.cursor < before.head, "seed \(seed)")
            #expect(before.texts.count == Int(before.head.rawValue) && !before.texts.contains(nil), "seed \(seed)")

            // What is known is known there too; what is new gets the next numbers, and the follower goes on.
            let last = Array(units[(units.count * 3 / 4)...])
            for cluster in [first, second] {
                try Self.withHarness(cluster) { harness in
                    try harness.append(Array(units[..<(units.count * 3 / 4)]))
                    #expect(try harness.head == before.head, "seed \(seed)")
                    try harness.append(last)
                    try harness.catchUp()
                    try harness.expectTablesEqualLog("seed \(seed)")
                    try harness.expectRegistersEqualLog("seed \(seed)")
                }
            }
            let (kept, restored) = (try Self.contents(first), try Self.contents(second))
            #expect(restored.head > before.head, "seed \(seed)")
            #expect(restored.head == kept.head && restored.cursor == kept.cursor, "seed \(seed)")
            #expect(restored.texts == kept.texts && restored.facts == kept.facts, "seed \(seed)")
            // Registers tell when each cluster recorded a revocation, and these are two clusters with two pasts.
            for (name, digest) in kept.tables
            where name.hasPrefix("projection.") && !name.hasPrefix("projection.register_") {
                #expect(restored.tables[name] == digest, "\(name), seed \(seed)")
            }
        }
    }

    @Test func `rights and triggers are restored too`() async throws {
        try await offPool {
            let units = try Story(seed: 13, count: 8).units(.shared())
            let first = try Self.original(units)
            defer { try? first.remove() }
            let second = try PrivateCluster()
            defer { try? second.remove() }
            try second.restore(try first.dump())
            for (role, constraint) in [("ledger_daemon", nil), ("ledger_owner", "append_only")] {
                try Self.withHarness(second, role: role) { harness throws in
                    do {
                        try harness.connection.execute("DELETE FROM ledger.events")
                        Issue.record("\(role) could remove events")
                    } catch let error as PostgresError {
                        #expect(error.state == .insufficientPrivilege)
                        #expect(error.constraint == constraint)
                    }
                }
            }
        }
    }
}
