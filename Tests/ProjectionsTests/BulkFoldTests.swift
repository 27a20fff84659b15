import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// A rebuild folds the log line by line, the follower as it comes, and both give the same rows.
@Suite("Rebuild: bulk fold", .database, .timeLimit(.minutes(10)))
struct BulkFoldTests {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `a rebuild gives every row of every table that the live fold gives`(_ seed: UInt64) async throws {
        let units = try Story(seed: seed, count: 240, lines: 8).units(.shared())
        let reports = try UsageStory(seed: seed, count: 24, lines: 8).reports
        let moves = try Self.moves.map(Self.unit)
        let database = TestDatabase.current
        try await database.project { harness in
            var random = SeededGenerator(seed: seed)
            let moves = moves.shuffled(using: &random)
            for (number, piece) in units.cut(into: 10...60, using: &random).enumerated() {
                try harness.append(piece)
                if number < moves.count { try harness.append([moves[number]]) }
                if number == 2 { try harness.record(catalog: TruthQuestion.catalogText) }
                for report in reports.dropFirst(number * 4).prefix(4) { try harness.record(report) }
                for name in CustomerKey.names where number == 3 {
                    try harness.record(MovingTransactions.report("\(name)", about: name, using: &random))
                }
            }
            while try harness.projection.position() < harness.head {
                let end = try harness.projection.position().rawValue + Int64.random(in: 1...40, using: &random)
                try harness.fold(to: Position(min(end, try harness.head.rawValue)))
            }
        }
        for round in 1...2 {
            let comparison = try await database.run { owner in
                let rebuild = Rebuild(owner)
                try rebuild.fold { _ in }
                return try rebuild.compare(replaces: true)
            }
            #expect(comparison.differing == [], "seed \(seed), round \(round)")
        }
        try await database.project { harness in
            try harness.expectTablesEqualLog("seed \(seed)")
            try harness.expectRegistersEqualLog("seed \(seed)")
            // What comes now is folded over what the rebuild wrote.
            try harness.appendAndFold(try Story(seed: seed &+ 100, count: 60, lines: 8).units(.shared()))
            try harness.expectTablesEqualLog("seed \(seed), afterwards")
            try harness.expectRegistersEqualLog("seed \(seed), afterwards")
        }
    }

    @Test func `lines larger than a page, and pages that end in the middle of one, are folded as a whole`() async throws
    {
        let units = try Story(seed: 5, count: RowCursor.pageMax + 700, lines: 2).units(.shared())
        let database = TestDatabase.current
        let folded = try await database.project { harness in
            for piece in stride(from: 0, to: units.count, by: 200) {
                try harness.append(Array(units[piece..<min(piece + 200, units.count)]))
            }
            try harness.catchUp()
            return try harness.head
        }
        let progress = try await database.run { owner in
            let rebuild = Rebuild(owner)
            var progress: [Position] = []
            try rebuild.fold { progress.append($0.position) }
            #expect(try rebuild.compare(replaces: true).differing == [])
            return progress
        }
        #expect(progress == progress.sorted())
        #expect(progress.allSatisfy { $0 <= folded })
        try await database.project { harness in try harness.expectRegistersEqualLog("rebuilt") }
    }

    @Test func `the new tables have the indexes and keys of the live ones, under their names`() async throws {
        try await TestDatabase.current.run { owner in
            let before = try Self.indexes(owner)
            for _ in 1...2 {
                let rebuild = Rebuild(owner)
                try rebuild.fold { _ in }
                #expect(try rebuild.compare(replaces: true).differing == [])
            }
            #expect(before.count > 12)
            #expect(try Self.indexes(owner) == before)
        }
    }

    @Test(arguments: [
        ("DELETE FROM ledger.events WHERE position = 7", LogCorruption.Finding.missingEvent),
        ("UPDATE ledger.events SET kind = 99 WHERE position = 7", .unknownCode),
    ])
    func `a log that cannot be folded fails the rebuild, which leaves nothing behind`(
        _ damage: String,
        _ finding: LogCorruption.Finding
    ) async throws {
        let units = try Story(seed: 9, count: 30).units(.shared())
        let database = TestDatabase.current
        try await database.project { try $0.appendAndFold(units) }
        try await database.run { owner in
            try owner.execute("SET session_replication_role = replica; \(damage)")
            #expect(throws: LogCorruption(position: Position(7), finding: finding)) {
                try Rebuild(owner).fold { _ in }
            }
            let left = Statement(
                name: "test_schemas",
                sql: "SELECT nspname::text FROM pg_namespace WHERE nspname LIKE 'projection%'"
            )
            let rows = try owner.query(left)
            #expect(rows.indices.map { rows.text($0, 0) } == ["projection"])
        }
    }

    @Test func `a rebuild does not mind what one that was killed has left behind`() async throws {
        let units = try Story(seed: 10, count: 60).units(.shared())
        let database = TestDatabase.current
        try await database.project { try $0.appendAndFold(units) }
        try await database.run { owner in
            try owner.execute(RebuildScripts.prepare)
            try owner.execute(RebuildScripts.findMovedLines)
            try owner.execute("INSERT INTO projection_next.consents VALUES (1, 'left behind', 0)")
            let rebuild = Rebuild(owner)
            try rebuild.fold { _ in }
            #expect(try rebuild.compare(replaces: true).differing == [])
        }
    }

    /// Transactions that move between lines, forth and back, revoked and not, and lines that know nothing else.
    private static let moves: [Payload] = [
        move("901", line: "900", day: 1), move("901", line: "910", day: 3), move("901", line: "920", day: 2),
        move("902", line: "910", day: 1), move("902", line: "900", day: 2, ["revocationDate": .integer(day(2))]),
        move("903", line: "920", day: 1, ["revocationDate": .integer(day(1))]), move("903", line: "930", day: 2),
        move("904", line: "930", day: 1),
    ]

    private static func day(_ number: Int64) -> Int64 { Payload.sampleSignedDate + number * 86_400_000 }

    private static func move(
        _ id: String,
        line: String,
        day number: Int64,
        _ changes: [String: Payload.Value?] = [:]
    ) -> Payload {
        .transaction(id, line: line, changes.merging(["signedDate": .integer(day(number))]) { $1 })
    }

    private static func unit(_ payload: Payload) throws -> AppendUnit {
        AppendUnit(try SimulatedStore.shared().verified(payload, as: .transaction), source: .device)
    }

    /// Definitions of all indexes of the projection, with whether they are a table's key.
    private static func indexes(_ owner: Connection) throws -> Set<String> {
        let rows = try owner.query(
            Statement(
                name: "test_indexes",
                sql: """
                    SELECT pg_get_indexdef(i.indexrelid) || ' ' || i.indisprimary
                      || coalesce(' ' || (SELECT c.conname FROM pg_constraint c WHERE c.conindid = i.indexrelid), '')
                    FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
                    WHERE t.relnamespace = 'projection'::regnamespace
                    """,
                isReadOnly: true
            )
        )
        return Set(rows.indices.map { rows.text($0, 0) })
    }
}
