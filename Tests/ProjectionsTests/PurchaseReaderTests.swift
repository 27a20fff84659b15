import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// The register of purchases by window, page by page, against the log read naively: random stories, both bases, any
/// `knownAt`, any `at`.
@Suite("Projection: purchases", .database, .timeLimit(.minutes(10)))
struct PurchaseReaderTests {
    @Test(arguments: 300..<308 as Range<UInt64>)
    func `the pages of a window are each payment once, as it was known`(_ seed: UInt64) async throws {
        let units = try Story(seed: seed, count: 120, lines: 5).units(.shared())
        try await TestDatabase.current.project { harness in
            try harness.append(units)
            try harness.catchUp()
            var random = SeededGenerator(seed: seed)
            let events = try harness.events()
            var count = 0
            for _ in 0..<60 {
                let selection = Self.selection(events, &random)
                let known = Position(Int64.random(in: 0...(try harness.head.rawValue), using: &random))
                let limit = Int.random(in: 1...9, using: &random)
                let expected = NaivePurchases(events, selection, known).told
                let told = try harness.purchases(selection, known, limit)
                #expect(told == expected, "seed \(seed), known at \(known), \(selection)")
                count += expected.count
            }
            #expect(count > 100, "seed \(seed)")
        }
    }

    /// A random window of a random basis; `at` is mostly everything.
    private static func selection(_ events: [LedgerEvent], _ random: inout SeededGenerator) -> RegisterSelection {
        var selection = RegisterSelection(
            environment: Int.random(in: 0..<4, using: &random) == 0 ? .sandbox : .production,
            kinds: []
        )
        func day() -> Instant {
            Instant(milliseconds: Payload.sampleSignedDate + 86_400_000 * Int64.random(in: -2...14, using: &random))
        }
        func recorded() -> Instant { events.randomElement(using: &random)?.recordedAt ?? .distantFuture }
        selection.basis = Bool.random(using: &random) ? .purchaseDate : .recordedAt
        if Bool.random(using: &random) {
            let dates = selection.basis == .recordedAt ? [recorded(), recorded()] : [day(), day()]
            (selection.from, selection.to) = (dates.min() ?? .distantFuture, dates.max() ?? .distantFuture)
        }
        if Int.random(in: 0..<4, using: &random) == 0 { selection.at = day() }
        if Int.random(in: 0..<6, using: &random) == 0 {
            selection.productID = ProductID(rawValue: "com.example.pro.monthly")
        }
        return selection
    }

    @Test func `what is shared, assigned or unowned has no date, and a date that changed is kept beside the new one`()
        async throws
    {
        try await TestDatabase.current.project { harness in
            for (id, owner, day) in [
                ("1", "PURCHASED", 0), ("1", "PURCHASED", 0), ("1", "PURCHASED", 1), ("2", "FAMILY_SHARED", 0),
                ("3", "LEASED", 0),
            ] {
                let date = Payload.sampleSignedDate + Int64(day) * 86_400_000
                let payload = Payload.transaction(
                    id,
                    [
                        "inAppOwnershipType": .text(owner), "purchaseDate": .integer(date),
                        "signedDate": .integer(Payload.sampleSignedDate + (try harness.head.rawValue) + 1),
                    ]
                )
                let document = try SimulatedStore.shared().verified(payload, as: .transaction)
                try harness.append([AppendUnit(document, source: .device)])
                try harness.catchUp()
            }
            let days = try harness.purchaseDates().map {
                "\($0.transaction) \(($0.date.milliseconds - Payload.sampleSignedDate) / 86_400_000)"
            }
            #expect(days.sorted() == ["1 0", "1 1"])
        }
    }
}

/// The payments of a window a second time: every event is looked at.
private struct NaivePurchases {
    /// What a row tells: the date of the basis, the transaction, its price and its recording.
    private(set) var told: [String] = []

    init(_ events: [LedgerEvent], _ selection: RegisterSelection, _ known: Position) {
        let all = events.filter { $0.position <= known && $0.environment == selection.environment }
            .compactMap { event in RegisterRendering(event) }
        let winners = Dictionary(grouping: all, by: \.fact.transactionID).values.compactMap { renderings in
            let signed = renderings.filter { $0.signedAt <= selection.at }
            let first = renderings.map(\.signedAt).min()
            let candidates = signed.isEmpty ? renderings.filter { $0.signedAt == first } : signed
            return candidates.max { $1.fact.rendering.wins(over: $0.fact.rendering) }?.fact
        }
        let bought = winners.filter { $0.ownershipType?.rawValue == "PURCHASED" }
        let payments = Dictionary(grouping: bought) { fact in
            "\(fact.originalTransactionID) \(fact.webOrderLineItemID?.rawValue ?? "of \(fact.transactionID)")"
        }
        var rows: [(order: (Int64, String), row: String)] = []
        for payment in payments.values {
            let priced = payment.filter { ($0.price?.rawValue ?? -1) >= 0 && $0.currency != nil }
            let best = (priced.isEmpty ? payment : priced).min { left, right in
                (left.effectivePurchaseDate, left.transactionID) < (right.effectivePurchaseDate, right.transactionID)
            }
            let ids = payment.map(\.transactionID)
            let first = all.filter { ids.contains($0.fact.transactionID) }.min { $0.position < $1.position }
            guard let best, let first else { continue }
            let isByRecording = selection.basis == .recordedAt
            let date = isByRecording ? first.recordedAt : best.effectivePurchaseDate
            guard selection.from <= date, date < selection.to, best.hasBegun(at: selection.at),
                selection.productID.map({ $0 == best.productID }) ?? true
            else { continue }
            let order = isByRecording ? (first.position.rawValue, "") : (date.milliseconds, best.transactionID.rawValue)
            rows.append((order, "\(best.told) \(first.recordedAt)"))
        }
        told = rows.sorted { $0.order < $1.order }.map(\.row)
    }
}

extension TransactionFact {
    fileprivate var told: String {
        let price = statedPrice.map { "\($0.amount.rawValue)" } ?? "?"
        return "\(effectivePurchaseDate) \(transactionID) \(price) \(rendering.position)"
    }
}

extension ProjectionHarness {
    /// All rows of a selection, read in pages.
    fileprivate func purchases(_ selection: RegisterSelection, _ known: Position, _ limit: Int) throws -> [String] {
        var told: [String] = []
        var place: PurchaseReader.Place?
        repeat {
            let page = try PurchaseReader(connection).page(selection, knownAt: known, after: place, limit: limit)
            told += page.rows.map { "\($0.purchase.told) \($0.recordedAt)" }
            place = page.readCount == limit ? page.place : nil
        } while place != nil
        return told
    }
}
