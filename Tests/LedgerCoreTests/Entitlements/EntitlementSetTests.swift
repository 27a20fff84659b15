import LedgerCore
import TestSupport
import Testing

/// Rows over several lines: non-renewing subscriptions, effective rows, order.
@Suite("Entitlement set")
struct EntitlementSetTests {
    private let catalog = Catalog(products: [
        ProductID(rawValue: "pro.monthly"): CatalogProduct(entitlement: "pro", level: 1),
        ProductID(rawValue: "basic.monthly"): CatalogProduct(entitlement: "pro", level: 2),
        ProductID(rawValue: "lifetime"): CatalogProduct(entitlement: "pro", level: 2),
        ProductID(rawValue: "season"): CatalogProduct(duration: CalendarDuration(iso8601: "P3M")),
    ])

    // MARK: Non-renewing subscriptions

    private func season(_ id: String, from start: Double) -> TransactionFact {
        .sample(id, line: id, type: .nonRenewingSubscription, product: "season", from: start)
    }

    @Test func `a non-renewing subscription lasts as long as the catalog says`() {
        // Day 0 is 2026-01-01; three calendar months are 90 days.
        let line = LineFacts([season("1", from: 0)])
        let last = EntitlementSet.of(line, catalog: catalog, at: Instant.day(90).justBefore)
        #expect(last.entitlements.map(\.accessUntil) == [.day(90)])
        #expect(last.nextChangeAt == .day(90))
        let after = EntitlementSet.of(line, catalog: catalog, at: .day(90))
        #expect(after.entitlements.isEmpty && after.nextChangeAt == nil)
    }

    @Test func `without a duration it does not end by itself`() {
        let set = EntitlementSet.of(LineFacts([season("1", from: 0)]), at: .day(4000))
        #expect(set.entitlements.map(\.accessUntil) == [nil])
    }

    @Test func `the latest unrevoked purchase counts over all lines`() {
        let lines = [LineFacts([season("2", from: 60)]), LineFacts([season("1", from: 0)])]
        let set = EntitlementSet.of(lines[0], lines[1], catalog: catalog, at: .day(100))
        #expect(set.entitlements.map(\.transaction.transactionID.rawValue) == ["2"])
        let refunded = LineFacts([season("2", from: 60).revoked(at: .day(70))])
        let back = EntitlementSet.of(refunded, lines[1], catalog: catalog, at: .day(71))
        #expect(back.entitlements.map(\.transaction.transactionID.rawValue) == ["1"])
        #expect(back.nextChangeAt == .day(90))
        let before = EntitlementSet.of(refunded, lines[1], catalog: catalog, at: .day(69))
        #expect(before.nextChangeAt == .day(70))
    }

    // MARK: Effective rows

    private func effective(_ facts: TransactionFact..., at instant: Instant = .day(1)) -> [String] {
        let lines = facts.map { LineFacts([$0]) }
        let set = EntitlementEvaluator.evaluate(CustomerFacts(lines: lines), catalog: catalog, at: instant)
        return set.entitlements.filter(\.isEffective).map(\.transaction.transactionID.rawValue)
    }

    @Test func `the lowest level is effective, whatever its end`() {
        #expect(
            effective(
                .sample("1", line: "1", product: "basic.monthly", from: 0, to: 900),
                .sample("2", line: "2", product: "pro.monthly", from: 0, to: 2)
            ) == ["2"]
        )
    }

    @Test func `within a level the latest end is effective, and no end lasts longest`() {
        #expect(
            effective(
                .sample("1", line: "1", product: "pro.monthly", from: 0, to: 2),
                .sample("2", line: "2", product: "pro.monthly", from: 0, to: 3)
            ) == ["2"]
        )
        #expect(
            effective(
                .sample("1", line: "1", product: "basic.monthly", from: 0, to: 900),
                .sample("3", line: "3", type: .nonConsumable, product: "lifetime", from: 0)
            ) == ["3"]
        )
    }

    @Test func `each entitlement has one effective row`() {
        let set = EntitlementSet.of(
            LineFacts([.sample("1", line: "1", product: "pro.monthly", from: 0, to: 2)]),
            LineFacts([.sample("2", line: "2", product: "pro.monthly", from: 0, to: 2)]),
            LineFacts([.sample("3", line: "3", product: "other", from: 0, to: 2)]),
            catalog: catalog,
            at: .day(1)
        )
        #expect(set.entitlements.map(\.name) == ["other", "pro", "pro"])
        #expect(set.entitlements.map(\.isEffective) == [true, true, false])
    }

    @Test func `a product without a level is below every level`() {
        let unlisted = Catalog(products: [
            ProductID(rawValue: "a"): CatalogProduct(entitlement: "pro"),
            ProductID(rawValue: "b"): CatalogProduct(entitlement: "pro", level: 900),
        ])
        let set = EntitlementSet.of(
            LineFacts([.sample("1", line: "1", product: "a", from: 0, to: 20)]),
            LineFacts([.sample("2", line: "2", product: "b", from: 0, to: 2)]),
            catalog: unlisted,
            at: .day(1)
        )
        #expect(set.entitlements.filter(\.isEffective).map(\.transaction.transactionID.rawValue) == ["2"])
    }

    @Test func `the order of lines does not change the answer`() {
        let lines = (1...4).map { number in
            LineFacts([
                .sample("\(number)", line: "\(number)", product: "pro.monthly", from: 0, to: Double(number % 2 + 5))
            ])
        }
        let answers = lines.permutations.map { order in
            EntitlementEvaluator.evaluate(CustomerFacts(lines: order), catalog: catalog, at: .day(1))
        }
        #expect(Set(answers).count == 1)
    }

    @Test func `nothing known is an empty set`() {
        #expect(EntitlementSet.of(at: .day(1)) == EntitlementSet())
    }
}
