import LedgerCore
import TestSupport
import Testing

/// DESIGN invariant 6: the same events in any order and any batches give the same facts.
@Suite("Fold: order and batches")
struct FoldOrderTests {
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `all 120 orders of five events give the same facts`(_ seed: UInt64) {
        // One line, so that the events meet.
        let events = Array(Story(seed: seed, count: 5, lines: 1).events.prefix(5))
        let expected = FactSnapshot(folding: events)
        let differing = events.permutations.filter { FactSnapshot(folding: $0) != expected }
        #expect(differing.isEmpty, "seed \(seed): \(differing.count) orders differ")
    }

    @Test(arguments: 1000..<1060 as Range<UInt64>)
    func `forty events in any order and any batches give the same facts`(_ seed: UInt64) {
        let events = Story(seed: seed, count: 40).events
        let expected = FactSnapshot(folding: events)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5 {
            let batches = events.shuffled(using: &random).cut(into: 1...7, using: &random).map { batch in
                var facts = FactSet()
                for event in batch { facts.fold(event) }
                return facts
            }
            var merged = FactSet()
            for batch in batches.shuffled(using: &random) {
                for member in batch.members.shuffled(using: &random) { merged.merge(member) }
            }
            #expect(FactSnapshot(merged) == expected, "seed \(seed)")
        }
    }

    @Test(arguments: 2000..<2030 as Range<UInt64>)
    func `batches merged pairwise in any grouping give the same facts`(_ seed: UInt64) {
        let events = Story(seed: seed, count: 24, lines: 1).events
        let expected = FactSnapshot(folding: events)
        var random = SeededGenerator(seed: seed)
        var sets = events.map { event in
            var facts = FactSet()
            facts.fold(event)
            return facts
        }
        // A random binary tree: groups of any depth, both ways round.
        while sets.count > 1 {
            let left = sets.remove(at: Int.random(in: sets.indices, using: &random))
            let index = Int.random(in: sets.indices, using: &random)
            for member in left.members { sets[index].merge(member) }
        }
        #expect(sets.map(FactSnapshot.init) == [expected], "seed \(seed)")
    }

    @Test(arguments: 3000..<3060 as Range<UInt64>)
    func `the facts are those that a search over all renderings finds`(_ seed: UInt64) throws {
        let events = Story(seed: seed, count: 30, lines: 2).events
        let facts = FactSnapshot(folding: events)
        let search = try RenderingSearch(events)
        #expect(facts.transactions.mapValues(RenderingSearch.Winner.init) == search.transactions, "seed \(seed)")
        #expect(facts.lines.compactMapValues { $0.appTransactionID?.value } == search.customers, "seed \(seed)")
        #expect(facts.lines.compactMapValues(\.appAccountToken) == search.tokens, "seed \(seed)")
        #expect(facts.lines.compactMapValues { $0.appleStatus?.value } == search.statuses, "seed \(seed)")
        #expect(facts.consents.mapValues(\.rescindedAt) == search.consents, "seed \(seed)")
    }
}

/// The answers of PROTOCOL.md 8.1 and 8.2, found by looking at all renderings at once instead of folding them.
private struct RenderingSearch {
    struct Winner: Equatable {
        var position: Position
        var versions: Int
        var isTied: Bool

        init(_ fact: TransactionFact) {
            (position, versions, isTied) = (fact.rendering.position, fact.versions, fact.rendering.isTied)
        }

        /// The rendering signed last; of several the revoked one, then the greatest digest.
        init?(_ renderings: [(event: LedgerEvent, document: TransactionDocument)]) {
            let last = renderings.compactMap(\.document.signedDate).max()
            let candidates = renderings.filter { $0.document.signedDate == last }
            let revoked = candidates.filter { $0.document.revocationDate != nil }
            let preferred = revoked.isEmpty ? candidates : revoked
            guard let winner = preferred.max(by: { $0.event.digest < $1.event.digest }) else { return nil }
            (position, versions, isTied) = (winner.event.position, renderings.count, candidates.count > 1)
        }
    }

    var transactions: [FactKey<TransactionID>: Winner] = [:]
    var customers: [FactKey<OriginalTransactionID>: AppTransactionID] = [:]
    var tokens: [FactKey<OriginalTransactionID>: AppAccountToken] = [:]
    var statuses: [FactKey<OriginalTransactionID>: Int64] = [:]
    var consents: [FactKey<AppTransactionID>: Instant] = [:]

    init(_ events: [LedgerEvent]) throws {
        let purchases = try events.filter { $0.kind == .transaction }.map {
            ($0, try TransactionDocument(payload: $0.payload))
        }
        let renewals = try events.filter { $0.kind == .renewalInfo }.map {
            ($0, try RenewalInfoDocument(payload: $0.payload))
        }
        findTransactions(purchases)
        findLines(purchases, renewals)
        try findNotificationFacts(events.filter { $0.kind == .notification })
    }

    private mutating func findTransactions(_ all: [(LedgerEvent, TransactionDocument)]) {
        let groups = Dictionary(grouping: all) { event, document in
            FactKey(event.environment ?? .xcode, document.transactionID ?? TransactionID(rawValue: ""))
        }
        for (key, renderings) in groups {
            transactions[key] = Winner(renderings.map { (event: $0.0, document: $0.1) })
        }
    }

    private mutating func findLines(
        _ purchases: [(LedgerEvent, TransactionDocument)],
        _ renewals: [(LedgerEvent, RenewalInfoDocument)]
    ) {
        let lines = Set(
            purchases.map {
                FactKey($0.environment ?? .xcode, $1.originalTransactionID ?? OriginalTransactionID(rawValue: ""))
            }
                + renewals.map {
                    FactKey($0.environment ?? .xcode, $1.originalTransactionID ?? OriginalTransactionID(rawValue: ""))
                }
        )
        for line in lines {
            let bought = purchases.filter { $0.environment == line.environment && $1.originalTransactionID == line.id }
            let renewed = renewals.filter { $0.environment == line.environment && $1.originalTransactionID == line.id }
            customers[line] =
                (bought.map { ($0.1.signedDate, $0.1.appTransactionID) }
                + renewed.map { ($0.1.signedDate, $0.1.appTransactionID) })
                .compactMap { signed, customer in customer.flatMap { c in signed.map { (signed: $0, customer: c) } } }
                .max { ($0.signed, $0.customer) < ($1.signed, $1.customer) }?.customer
            tokens[line] = Self.token(bought.map(\.1), renewed.map(\.1))
        }
    }

    /// The newest purchase that has a token against the newest renewal info that has one.
    private static func token(_ bought: [TransactionDocument], _ renewed: [RenewalInfoDocument]) -> AppAccountToken? {
        let purchase = bought.filter { $0.appAccountToken != nil }.max { one, other in
            let left = (one.purchaseDate ?? one.signedDate ?? .zero, one.signedDate ?? .zero)
            let right = (other.purchaseDate ?? other.signedDate ?? .zero, other.signedDate ?? .zero)
            return left == right ? one.tokenText < other.tokenText : left < right
        }
        let renewal = renewed.filter { $0.appAccountToken != nil }.max { one, other in
            (one.signedDate ?? .zero, one.tokenText) < (other.signedDate ?? .zero, other.tokenText)
        }
        guard let purchase else { return renewal?.appAccountToken }
        guard let renewal else { return purchase.appAccountToken }
        let isRenewalNewer =
            (renewal.signedDate ?? .zero, renewal.tokenText) > (purchase.signedDate ?? .zero, purchase.tokenText)
        return isRenewalNewer ? renewal.appAccountToken : purchase.appAccountToken
    }

    private mutating func findNotificationFacts(_ notifications: [LedgerEvent]) throws {
        for (line, group) in Dictionary(grouping: notifications, by: { $0.originalTransactionID }) {
            for (environment, group) in Dictionary(grouping: group, by: { $0.environment ?? .xcode }) {
                guard let line else { continue }
                statuses[FactKey(environment, line)] =
                    try group.compactMap { event in
                        try NotificationDocument(payload: event.payload).data?.status.map {
                            ($0.rawValue, event.signedAt ?? .zero)
                        }
                    }
                    .max { ($0.1, $0.0) < ($1.1, $1.0) }?.0
            }
        }
        for event in notifications where event.notificationType == "RESCIND_CONSENT" {
            guard let customer = event.appTransactionID, let signed = event.signedAt else { continue }
            let key = FactKey(event.environment ?? .xcode, customer)
            consents[key] = min(consents[key] ?? signed, signed)
        }
    }
}

extension Instant {
    fileprivate static let zero = Instant(milliseconds: 0)
}

extension TransactionDocument {
    fileprivate var tokenText: String { appAccountToken?.rawValue ?? "" }
}

extension RenewalInfoDocument {
    fileprivate var tokenText: String { appAccountToken?.rawValue ?? "" }
}
