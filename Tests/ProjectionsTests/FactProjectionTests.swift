import EventStore
import LedgerCore
import Postgres
import Projections
import TestSupport
import Testing

/// The tables after any batches are the log folded in one go (DESIGN invariants 6 and 10).
@Suite("Projection: tables and cursor", .database, .timeLimit(.minutes(10)))
struct FactProjectionTests {
    @Test(arguments: 0..<12 as Range<UInt64>)
    func `tables folded in random batches equal the log folded at once`(_ seed: UInt64) async throws {
        let units = try Story(seed: seed, count: 80, lines: 4).units(.shared())
        var random = SeededGenerator(seed: seed)
        let pieces = units.cut(into: 1...12, using: &random)
        try await TestDatabase.current.project { harness in
            for piece in pieces {
                try harness.append(piece)
                let head = try harness.head
                let before = try harness.projection.position()
                let step = try harness.projection.step()
                // A piece of nothing but duplicates adds no events.
                #expect(step == (head == before ? .idle(at: head) : .advanced(to: head, isCaughtUp: true)))
                #expect(try harness.projection.position() == head)
            }
            try harness.expectTablesEqualLog("seed \(seed)")
        }
    }

    @Test func `a backlog is folded in bounded steps`() async throws {
        let events = (0..<(FactProjection.batchMax * 2 + 5)).map { number in
            var event = NewEvent(
                kind: .transaction,
                environment: .sandbox,
                source: .device,
                digest: DocumentDigest(testPayload: Payload.transaction("\(number)").bytes),
                payload: Payload.transaction("\(number)").bytes
            )
            event.received = [1]
            return event
        }
        try await TestDatabase.current.project { harness in
            try harness.append(events.map { AppendUnit(events: [$0]) })
            #expect(try harness.projection.step() == .advanced(to: Position(1000), isCaughtUp: false))
            #expect(try harness.projection.step() == .advanced(to: Position(2000), isCaughtUp: false))
            #expect(try harness.projection.step() == .advanced(to: Position(2005), isCaughtUp: true))
            #expect(try harness.projection.step() == .idle(at: Position(2005)))
            try harness.expectTablesEqualLog("a backlog")
        }
    }

    @Test func `an empty log leaves the cursor at the start`() async throws {
        try await TestDatabase.current.project { harness throws in
            #expect(try harness.projection.step() == .idle(at: .start))
            #expect(try harness.projection.position() == .start)
        }
    }

    @Test func `while another folds, a step is busy and changes nothing`() async throws {
        let units = try Story(seed: 1, count: 10).units(.shared())
        let database = TestDatabase.current
        try await database.project { harness in
            try harness.append(units)
            let other = try database.connect()
            try other.execute("BEGIN; SELECT 1 FROM projection.cursors WHERE name = 'facts' FOR UPDATE")
            #expect(try harness.projection.step() == .busy)
            #expect(try harness.projection.position() == .start)
            try other.execute("ROLLBACK")
            other.close()
            #expect(try harness.projection.step() == .advanced(to: harness.head, isCaughtUp: true))
            try harness.expectTablesEqualLog("after the other has gone")
        }
    }

    @Test func `folded again from the start the tables are the same`() async throws {
        let units = try Story(seed: 99, count: 60).units(.shared())
        try await TestDatabase.current.project { harness in
            try harness.appendAndFold(units)
            let live = FactSnapshot(try harness.loadTables(try harness.foldedLog()))
            try harness.connection.execute(
                """
                TRUNCATE projection.transaction_lines, projection.lines, projection.app_transactions,
                  projection.consents, projection.line_keys, projection.purchase_dates, projection.revocation_counts,
                  projection.register_renderings, projection.register_entries, projection.usages;
                UPDATE projection.cursors SET position = 0;
                """
            )
            try harness.catchUp()
            #expect(FactSnapshot(try harness.loadTables(try harness.foldedLog())) == live)
            try harness.expectTablesEqualLog("folded again")
        }
    }

    @Test func `a step that fails leaves tables and cursor together where they were`() async throws {
        let units = try Story(seed: 7, count: 40).units(.shared())
        let database = TestDatabase.current
        try await database.project { harness in
            try harness.appendAndFold(Array(units.prefix(20)))
            let stand = try harness.projection.position()
            let before = FactSnapshot(try harness.loadTables(try harness.foldedLog()))
            try harness.append(Array(units.dropFirst(20)))
            let owner = try database.connect()
            try owner.execute("ALTER TABLE projection.lines ADD CONSTRAINT test_refusal CHECK (false) NOT VALID")
            #expect(throws: EventStoreError.self) { try harness.projection.step() }
            #expect(try harness.projection.position() == stand)
            let after = FactSnapshot(try harness.loadTables(try harness.foldedLog()))
            #expect(after.consents == before.consents && after.lines == before.lines)
            #expect(after.transactions == before.transactions)
            try owner.execute("ALTER TABLE projection.lines DROP CONSTRAINT test_refusal")
            owner.close()
            try harness.catchUp()
            try harness.expectTablesEqualLog("after the failure")
        }
    }

    @Test func `an event that no version of ours wrote stops the projection before it`() async throws {
        let units = try Story(seed: 3, count: 5).units(.shared())
        let database = TestDatabase.current
        try await database.project { harness in
            try harness.appendAndFold(units)
            let stand = try harness.projection.position()
            let owner = try database.connect()
            try owner.execute(
                """
                INSERT INTO ledger.events (position, recorded_at, kind, environment, source, digest, payload)
                  SELECT position + 1, recorded_at, 99, 1, 1, substring(sha256('') FOR 16), '' FROM ledger.head;
                """
            )
            owner.close()
            do {
                _ = try harness.projection.step()
                Issue.record("the event was folded")
            } catch let error as LogCorruption {
                #expect(error.position.rawValue == stand.rawValue + 1)
                #expect(error.description.contains("at position \(stand.rawValue + 1) has a kind"))
            }
            #expect(try harness.projection.position() == stand)
        }
    }

    @Test(arguments: [
        ("UPDATE ledger.events SET kind = 99 WHERE position = 7", "has a kind"),
        ("DELETE FROM ledger.events WHERE position = 7", "is not there, and later ones are"),
    ])
    func `what lies in front of an event that cannot be read is folded, in the same batch`(
        _ harm: String,
        _ finding: String
    ) async throws {
        let units = try Story(seed: 3, count: 12).units(.shared())
        let database = TestDatabase.current
        try await database.project { harness in
            try harness.append(units)
            let owner = try database.connect()
            try owner.execute(
                """
                SET session_replication_role = replica;
                \(harm);
                """
            )
            owner.close()
            #expect(try harness.projection.step() == .advanced(to: Position(6), isCaughtUp: false))
            let stopped = #expect(throws: LogCorruption.self) { try harness.projection.step() }
            #expect(stopped?.position == Position(7))
            #expect(stopped?.description.contains("The event at position 7 \(finding)") == true)
            #expect(try harness.projection.position() == Position(6))
        }
    }

    @Test func `identifiers that no index can hold do not stop the projection`() async throws {
        let store = try SimulatedStore.shared()
        // Without repetition, so that compression does not make it fit.
        var random = SeededGenerator(seed: 5)
        let long = (0..<3000).map { _ in String(UInt64.random(in: 0..<16, using: &random), radix: 16) }.joined()
        let payloads: [Payload] = [
            .transaction(long), .transaction("1", line: long), .transaction("2", ["appTransactionId": .text(long)]),
            .transaction("3", ["appAccountToken": .text(long)]), .transaction("4", ["productId": .json(#""a\u0000""#)]),
        ]
        var units = try payloads.map { AppendUnit(try store.verified($0, as: .transaction), source: .device) }
        units.append(
            AppendUnit(try store.verified(.appTransaction(long), as: .appTransaction), source: .device)
        )
        let all = units
        try await TestDatabase.current.project { harness in
            try harness.appendAndFold(all)
            try harness.expectTablesEqualLog("long identifiers")
            #expect(try harness.foldedLog().transactions.keys.map(\.id.rawValue).sorted() == ["2", "3", "4"])
        }
    }
}
