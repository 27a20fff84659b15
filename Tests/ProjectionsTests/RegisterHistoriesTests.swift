import EventStore
import Foundation
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// Random histories in one log, out of order, with duplicates and reversals, folded in random batches: what the tables
/// say is what the renderings known at each position say, and what a naive table of them says (DESIGN section 5).
@Suite("Projection: random histories", .database, .timeLimit(.minutes(20)))
struct RegisterHistoriesTests {
    /// Histories of one log.
    private static let logSize: UInt64 = 50
    /// How many histories.
    private static let count = UInt64(Repetitions.count("LEDGERD_HISTORIES", usually: 100))
    /// The first seed of each log, so that a failure names its range and, in its message, its seed.
    static let logs = Array(stride(from: UInt64(0), to: count, by: UInt64.Stride(logSize)))

    @Test(arguments: logs)
    func `at every position the rows are those of the renderings known by then, and add up to the state`(
        _ first: UInt64
    ) async throws {
        try await TestDatabase.current.project { harness in
            let log = try HistoryLog(seeds: first..<(first + Self.logSize), harness)
            let reader = RegisterReader(harness.connection, catalogs: CatalogShelf(initial: .empty))
            var totals = RegisterTotals()
            var known: [TransactionID: [RegisterRendering]] = [:]
            var compared = 0
            for (position, rendering) in log.renderings {
                let id = rendering.fact.transactionID
                for entry in TransactionRegister(known[id] ?? []).entries { totals.remove(entry) }
                known[id, default: []].append(rendering)
                let register = TransactionRegister(known[id] ?? [])
                for entry in register.entries { totals.add(entry) }
                let place: Comment = "seed \(log.seed(of: id)), position \(position)"
                let selection = RegisterSelection.transaction(id)
                let entries = try reader.entries(selection, knownAt: position, limit: 1000).map(\.row.entry)
                #expect(Set(entries) == Set(register.entries), place)
                let naive = NaiveRegister(known[id] ?? [])
                #expect(Set(entries.map(NaiveRegister.Row.init)) == Set(naive.rows), place)
                #expect(try reader.totals(selection, knownAt: position) == RegisterTotals(entries), place)
                expectState(register, naive, entries, place)
                // All transactions together, added up by the database.
                #expect(try reader.totals(.all, knownAt: position) == totals, place)
                compared += entries.count
            }
            #expect(compared > 50, "seeds from \(first)")
        }
    }

    /// Expects that entries add up to what the winning rendering says is refunded.
    private func expectState(
        _ register: TransactionRegister,
        _ naive: NaiveRegister,
        _ entries: [RegisterEntry],
        _ place: Comment
    ) {
        let sum = entries.compactMap(\.amount).reduce(Int128(0)) { $0 + Int128($1.amount.rawValue) }
        switch register.refunded {
        case .nothing: #expect(sum == 0 && naive.total == 0, place)
        case .known(let money):
            #expect(sum == Int128(money.amount.rawValue) && naive.total == Decimal(money.amount.rawValue), place)
        case .unknown: #expect(entries.contains { $0.isOfUnknownAmount } && naive.total == nil, place)
        }
    }

    @Test(arguments: logs)
    func `after every batch refunds and the rest are all revocations`(_ first: UInt64) async throws {
        try await TestDatabase.current.project { harness in
            var steps = 0
            _ = try HistoryLog(seeds: first..<(first + Self.logSize), harness) { renderings in
                let winners = Dictionary(grouping: renderings, by: \.fact.transactionID).values.compactMap { known in
                    known.max { $1.fact.rendering.wins(over: $0.fact.rendering) }
                }
                let revoked = winners.filter { $0.fact.revocationDate != nil || $0.items != nil }.count
                let balance = try RegisterReader.balances(on: harness.connection).first?.balance ?? RevocationBalance()
                #expect(balance.revoked == revoked && balance.isWhole, "seeds from \(first): \(balance)")
                steps += 1
            }
            #expect(steps > 10)
            let balance = try #require(try RegisterReader.balances(on: harness.connection).first?.balance)
            #expect(balance.refunded > 0 && balance.withoutRefund > 0, "seeds from \(first)")
        }
    }

    @Test(arguments: logs)
    func `a replay between any two positions is its entries, to the milliunit`(_ first: UInt64) async throws {
        try await TestDatabase.current.project { harness in
            let log = try HistoryLog(seeds: first..<(first + Self.logSize), harness)
            let reader = RegisterReader(harness.connection, catalogs: CatalogShelf(initial: .empty))
            var random = SeededGenerator(seed: first)
            var changed = 0
            for _ in 0..<40 {
                let positions = (0..<2).map { _ in Int64.random(in: 0...log.head.rawValue, using: &random) }.sorted()
                let (earlier, later) = (Position(positions[0]), Position(positions[1]))
                let selection = log.selection(using: &random)
                let replay = try #require(try RegisterReplay(selection, from: earlier, to: later, reader))
                let place: Comment = "seeds from \(first), \(earlier) to \(later), \(selection)"
                let believed = try [earlier, later].map { position in
                    try reader.entries(selection, knownAt: position, limit: 10_000).map(\.row.entry)
                }
                #expect(replay.totals.before == RegisterTotals(believed[0]), place)
                #expect(replay.totals.after == RegisterTotals(believed[1]), place)
                var after = replay.totals.before
                for change in replay.changes {
                    if change.isAdded { after.add(change.row.entry) } else { after.remove(change.row.entry) }
                }
                #expect(after == replay.totals.after, place)
                let added = Set(replay.changes.filter(\.isAdded).map(\.row.entry))
                let removed = Set(replay.changes.filter { !$0.isAdded }.map(\.row.entry))
                #expect(added == Set(believed[1]).subtracting(believed[0]), place)
                #expect(removed == Set(believed[0]).subtracting(believed[1]), place)
                changed += replay.changes.count
            }
            #expect(changed > 50, "seeds from \(first)")
        }
    }
}

/// A log of many histories, each a transaction of its own, folded in random batches.
private struct HistoryLog {
    private let first: UInt64
    /// What the log holds, in its order; a duplicate is no event.
    let renderings: [(position: Position, rendering: RegisterRendering)]

    /// Where the log ends.
    var head: Position { renderings.last?.position ?? .start }

    /// Appends the histories of some seeds, mixed with each other; after each batch that was folded, `look` gets what the
    /// log holds.
    init(
        seeds: Range<UInt64>,
        _ harness: ProjectionHarness,
        look: ([RegisterRendering]) throws -> Void = { _ in }
    ) throws {
        first = seeds.lowerBound
        var random = SeededGenerator(seed: first)
        var queues = seeds.map { Array(RandomHistory(seed: $0, transaction: "\($0)").arrivals.reversed()) }
        var units: [AppendUnit] = []
        while let queue = queues.indices.randomElement(using: &random) {
            if let arrival = queues[queue].popLast() { units.append(.unsigned(arrival.payload, arrival.source)) }
            if queues[queue].isEmpty { queues.remove(at: queue) }
        }
        for piece in units.cut(into: 1...40, using: &random) {
            try harness.append(piece)
            try harness.catchUp()
            try look(try harness.events().compactMap { RegisterRendering($0) })
        }
        renderings = try harness.events().compactMap { event in
            RegisterRendering(event).map { (event.position, $0) }
        }
    }

    /// The seed that a transaction's history was made with.
    func seed(of id: TransactionID) -> String { id.rawValue }

    /// A random selection of the register of refunds.
    func selection(using random: inout SeededGenerator) -> RegisterSelection {
        var selection = RegisterSelection.all
        selection.basis = [.revocationDate, .purchaseDate, .recordedAt].randomElement(using: &random) ?? .recordedAt
        if selection.basis == .revocationDate, Bool.random(using: &random) {
            let days = (0..<2).map { _ in Int64.random(in: 0...9, using: &random) }.sorted()
            selection.from = Instant(milliseconds: RandomHistory.epoch + days[0] * 86_400_000)
            selection.to = Instant(milliseconds: RandomHistory.epoch + days[1] * 86_400_000)
        }
        if Int.random(in: 0..<3, using: &random) == 0 { selection.currency = CurrencyCode(rawValue: "KWD") }
        return selection
    }
}

extension RegisterSelection {
    /// Every entry of Production.
    fileprivate static let all = RegisterSelection(environment: .production, kinds: Set(RegisterEntry.Kind.allCases))

    /// Every entry of a transaction that is its own line.
    fileprivate static func transaction(_ id: TransactionID) -> RegisterSelection {
        var selection = all
        selection.lines = [OriginalTransactionID(rawValue: id.rawValue)]
        selection.transactionID = id
        return selection
    }
}

extension AppendUnit {
    /// A transaction as verification would hand it to the log, which does not look at signatures.
    fileprivate static func unsigned(_ payload: Payload, _ source: EventSource) -> AppendUnit {
        let bytes = payload.bytes
        var event = NewEvent(
            kind: .transaction,
            environment: .production,
            source: source,
            digest: DocumentDigest(testPayload: bytes),
            payload: bytes
        )
        event.headerSegment = Array("header".utf8)
        event.signature = [UInt8](repeating: 0, count: 64)
        if case .integer(let signedAt) = payload["signedDate"] { event.signedAt = Instant(milliseconds: signedAt) }
        if case .text(let id) = payload["transactionId"] { event.transactionID = TransactionID(rawValue: id) }
        if case .text(let id) = payload["originalTransactionId"] {
            event.originalTransactionID = OriginalTransactionID(rawValue: id)
        }
        return AppendUnit(events: [event])
    }
}
