import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// Where batches end changes no row of any table of the projection (DESIGN invariants 6 and 10): what a rebuild compares.
@Suite("Projection: batches", .database, .timeLimit(.minutes(10)))
struct BatchIndependenceTests {
    @Test(arguments: [3_026_322_863_458_609_566, 1, 2, 3, 4, 5] as [UInt64])
    func `a log folded in random batches gives every row that one batch gives`(_ seed: UInt64) async throws {
        let units = try Story(seed: seed, count: 240, lines: 6).units(.shared())
        let reports = try UsageStory(seed: seed, count: 24, lines: 6).reports
        try await TestDatabase.current.project { harness in
            var random = SeededGenerator(seed: seed)
            // Some reports come before what they are about, others behind it.
            for (number, piece) in units.cut(into: 40...60, using: &random).enumerated() {
                try harness.append(piece)
                for report in reports.dropFirst(number * 4).prefix(4) { try harness.record(report) }
            }
            try harness.catchUp()
            let whole = try Self.digests(harness)
            #expect(whole.count >= 8)
            for round in 1...4 {
                try harness.connection.execute(Self.empty)
                while try harness.projection.position() < harness.head {
                    let from = try harness.projection.position()
                    let end = from.rawValue + Int64.random(in: 1...12, using: &random)
                    try harness.fold(to: Position(min(end, try harness.head.rawValue)))
                }
                #expect(try Self.digests(harness) == whole, "seed \(seed), round \(round)")
            }
        }
    }

    /// Each table with the number of its rows and the sum of their hashes.
    private static func digests(_ harness: ProjectionHarness) throws -> [String: String] {
        let tables = try harness.connection.query(listTables)
        return try Dictionary(
            uniqueKeysWithValues: tables.indices.map { row in
                let table = tables.text(row, 0)
                let digest = Statement(
                    name: "test_digest_\(table)",
                    sql: """
                        SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)
                        FROM projection.\(table) t
                        """,
                    isReadOnly: true
                )
                return (table, try harness.connection.query(digest).text(0, 0))
            }
        )
    }

    private static let listTables = Statement(
        name: "test_tables",
        sql: "SELECT tablename::text FROM pg_tables WHERE schemaname = 'projection'",
        isReadOnly: true
    )

    private static let empty = """
        DO $$ DECLARE name text; BEGIN
          FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'projection' AND tablename <> 'cursors' LOOP
            EXECUTE format('TRUNCATE projection.%I', name);
          END LOOP;
          UPDATE projection.cursors SET position = 0, catalog = DEFAULT;
        END $$;
        """
}

extension ProjectionHarness {
    /// Folds up to a position, as one transaction.
    func fold(to last: Position) throws {
        var fault: (any Error)?
        try connection.transaction { tx throws(PostgresError) in
            do { try projection.catchUp(to: last, in: tx) } catch let error as PostgresError { throw error } catch {
                fault = error
            }
        }
        if let fault { throw fault }
    }
}
