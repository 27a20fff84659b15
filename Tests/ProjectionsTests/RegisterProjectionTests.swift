import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// The rows of the registers are those that the renderings of each transaction give, whatever the batches, and what
/// was believed at a position adds up to the state known at it (DESIGN section 5, invariants 6 and 10).
@Suite("Projection: registers", .database, .timeLimit(.minutes(10)))
struct RegisterProjectionTests {
    @Test(arguments: 0..<12 as Range<UInt64>)
    func `rows folded in random batches are those of the renderings in the log`(_ seed: UInt64) async throws {
        let units = try Story(seed: seed, count: 120, lines: 4).units(.shared())
        var random = SeededGenerator(seed: seed)
        let pieces = units.cut(into: 1...12, using: &random)
        try await TestDatabase.current.project { harness in
            for piece in pieces {
                try harness.append(piece)
                try harness.catchUp()
            }
            try harness.expectRegistersEqualLog("seed \(seed)")
        }
    }

    @Test(arguments: 20..<26 as Range<UInt64>)
    func `the rows believed at each position add up to the state known at it`(_ seed: UInt64) async throws {
        let units = try Story(seed: seed, count: 80, lines: 2).units(.shared())
        try await TestDatabase.current.project { harness in
            try harness.append(units)
            try harness.catchUp()
            let rows = try harness.registerRows()
            let renderings = try harness.renderings()
            #expect(!rows.isEmpty, "seed \(seed)")
            for last in (1...(try harness.head.rawValue)).map({ Position($0) }) {
                for (key, all) in renderings {
                    let known = TransactionRegister(all.filter { $0.position <= last })
                    let believed = (rows[key] ?? []).filter { $0.isBelieved(at: last) }.map(\.entry)
                    let place: Comment = "seed \(seed), \(key), position \(last)"
                    switch known.refunded {
                    case .nothing: #expect(believed.sum == 0, place)
                    case .known(let money): #expect(believed.sum == Int128(money.amount.rawValue), place)
                    case .unknown: #expect(believed.contains { $0.isOfUnknownAmount }, place)
                    }
                }
            }
        }
    }

    @Test func `what is never revoked has no row`() async throws {
        try await TestDatabase.current.project { harness in
            try harness.append(try ["1", "2", "1"].map { try unit(.transaction($0)) })
            try harness.append([try unit(.transaction("1", ["signedDate": .integer(signed(1))]))])
            try harness.catchUp()
            #expect(try harness.registerRows().isEmpty)
            #expect(try harness.renderingRows() == 0)
        }
    }

    @Test func `a late older rendering closes rows and opens others, and overwrites nothing`() async throws {
        try await TestDatabase.current.project { harness in
            for payload in [
                refunded("1", day: 3, percentage: 100_000), refunded("1", day: 2, percentage: 40_000),
                .transaction("1", ["signedDate": .integer(signed(4))]),
            ] {
                try harness.append([try unit(payload)])
                try harness.catchUp()
            }
            let rows = try harness.registerRows().values.flatMap { $0 }
            let told = rows.map { row in
                [
                    row.knownFrom.rawValue, row.knownTo?.rawValue ?? 0,
                    row.entry.amount?.amount.rawValue ?? 0,
                ]
            }
            // All of it at first; then 40 percent before and the rest after; then everything taken back.
            #expect(Set(told) == [[1, 2, 9990], [2, 0, 3996], [2, 0, 5994], [3, 0, -9990]])
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `earlier renderings are read from the log with the first revocation, under whatever line`(
        _ seed: UInt64
    ) async throws {
        let payloads: [Payload] = [
            // Signed last, and not revoked: the refund was taken back before it was heard of.
            .transaction("1", line: "1", ["signedDate": .integer(signed(5))]),
            .transaction("2", line: "2"), .transaction("2", line: "3", ["signedDate": .integer(signed(1))]),
            .transaction("2", line: "4", ["signedDate": .integer(signed(2))]),
            refunded("1", day: 2, percentage: 100_000), refunded("2", line: "4", day: 1, percentage: 50_000),
        ]
        var random = SeededGenerator(seed: seed)
        let order = seed == 0 ? payloads : payloads.shuffled(using: &random)
        try await TestDatabase.current.project { harness in
            for payload in order {
                try harness.append([try unit(payload)])
                try harness.catchUp()
            }
            try harness.expectRegistersEqualLog("seed \(seed)")
        }
    }

    @Test func `a rebuild gives the same rows, and a row that was changed is found`() async throws {
        let units = try Story(seed: 77, count: 120, lines: 3).units(.shared())
        let database = TestDatabase.current
        try await database.project { harness in
            try harness.append(units)
            try harness.catchUp()
            let owner = try database.connect()
            defer { owner.close() }
            let rebuild = Rebuild(owner)
            try rebuild.fold { _ in }
            #expect(try rebuild.compare(replaces: true).differing == [])
            try harness.expectRegistersEqualLog("rebuilt")
            try owner.execute("UPDATE projection.register_entries SET amount = amount + 1 WHERE amount IS NOT NULL")
            try rebuild.fold { _ in }
            #expect(try rebuild.compare(replaces: false).differing == ["register_entries"])
            try rebuild.discard()
        }
    }
}

private func signed(_ day: Int64) -> Int64 { Payload.sampleSignedDate + day * 86_400_000 }

private func refunded(_ id: String, line: String? = nil, day: Int64, percentage: Int64) -> Payload {
    .transaction(
        id,
        line: line,
        [
            "signedDate": .integer(signed(day)), "revocationDate": .integer(signed(day)),
            "revocationType": "REFUND_PRORATED", "revocationPercentage": .integer(percentage),
        ]
    )
}

private func unit(_ payload: Payload) throws -> AppendUnit {
    AppendUnit(try SimulatedStore.shared().verified(payload, as: .transaction), source: .device)
}

extension Sequence<RegisterEntry> {
    /// The known amounts; a transaction has one currency.
    fileprivate var sum: Int128 { compactMap(\.amount).reduce(0) { $0 + Int128($1.amount.rawValue) } }
}

extension ProjectionHarness {
    /// The renderings of the log by transaction, in the order of their positions.
    fileprivate func renderings() throws -> [FactKey<TransactionID>: [RegisterRendering]] {
        var found: [FactKey<TransactionID>: [RegisterRendering]] = [:]
        for event in try EventReader(connection).events(after: .start, limit: EventReader.pageMax).map(\.event) {
            guard let environment = event.environment, let rendering = RegisterRendering(event) else { continue }
            found[FactKey(environment, rendering.fact.transactionID), default: []].append(rendering)
        }
        return found
    }

    /// All rows of the registers.
    fileprivate func registerRows() throws -> [FactKey<TransactionID>: [BelievedEntry]] {
        let rows = try connection.query(Self.entries)
        var found: [FactKey<TransactionID>: [BelievedEntry]] = [:]
        for row in rows.indices {
            let environment = try #require(StoreEnvironment(code: rows.int16(row, 0)))
            let entry = rows.bytes(row, 3).withUnsafeBufferPointer { unsafe RegisterEntry(packed: $0) }
            found[FactKey(environment, entry.subject.transactionID), default: []].append(
                BelievedEntry(
                    entry: entry,
                    knownFrom: Position(rows.int64(row, 1)),
                    knownTo: rows.optionalInt64(row, 2).map { Position($0) }
                )
            )
        }
        return found
    }

    /// How many transactions have a row of their renderings.
    fileprivate func renderingRows() throws -> Int64 { try connection.query(Self.countRenderings).int64(0, 0) }

    /// Compares every row with what the renderings in the log give.
    func expectRegistersEqualLog(_ comment: Comment) throws {
        let expected = try renderings().mapValues { Set(BelievedRegister(of: $0).rows) }.filter { !$0.value.isEmpty }
        #expect(try registerRows().mapValues(Set.init) == expected, comment)
        #expect(!expected.isEmpty, comment)
    }

    private static let entries = Statement(
        name: "test_register_rows",
        sql: "SELECT environment, known_from, known_to, entry FROM projection.register_entries",
        isReadOnly: true
    )
    private static let countRenderings = Statement(
        name: "test_register_renderings",
        sql: "SELECT count(*) FROM projection.register_renderings",
        isReadOnly: true
    )
}
