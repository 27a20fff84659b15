import Testing

@testable import LedgerCore

/// Consumables by unit, and what a refund takes back of them (PROTOCOL.md 8.5, 9-1, 9-7).
@Suite("Balances")
struct BalanceTests {
    private func coins(_ id: String = "1", quantity: Int64? = 1) -> TransactionFact {
        .sample(id, line: id, type: .consumable, product: "coins", from: 0) { $0.quantity = quantity }
    }

    private func catalog(units: Int64 = 500, _ rounding: UnitRounding = .down) -> Catalog {
        Catalog(products: [
            ProductID(rawValue: "coins"): CatalogProduct(unit: "coin", units: units, rounding: rounding)
        ])
    }

    private func balance(_ facts: TransactionFact..., catalog: Catalog, at instant: Instant = .day(20)) -> Balance? {
        let lines = facts.map { LineFacts([$0]) }
        let set = EntitlementEvaluator.evaluate(CustomerFacts(lines: lines), catalog: catalog, at: instant)
        #expect(set.entitlements.isEmpty && set.subscriptions.isEmpty)
        return set.balances.first
    }

    @Test func `purchases of one unit add up over lines, quantity and catalog`() {
        let balance = balance(coins("1", quantity: 3), coins("2", quantity: nil), catalog: catalog())
        #expect(balance == Balance(unit: "coin", granted: 2000, clawedBack: 0, used: 0))
    }

    @Test func `without a catalog the product is the unit and a piece is one unit`() {
        #expect(balance(coins(quantity: 7), catalog: .empty) == Balance(unit: "coins", granted: 7))
    }

    @Test func `a full refund takes everything from its instant on`() {
        let refunded = coins().revoked(at: .day(10))
        #expect(balance(refunded, catalog: catalog(), at: Instant.day(10).justBefore)?.clawedBack == 0)
        #expect(balance(refunded, catalog: catalog(), at: .day(10))?.clawedBack == 500)
        #expect(balance(refunded, catalog: catalog(), at: .day(10))?.net == 0)
    }

    @Test func `a prorated refund takes its share of the whole quantity`() {
        // Case C15: 40 % of five pieces.
        let refunded = coins(quantity: 5).revoked(at: .day(10), .refundProrated, percentage: 40_000)
        #expect(balance(refunded, catalog: catalog(units: 1))?.clawedBack == 2)
        #expect(balance(refunded, catalog: catalog(units: 100))?.net == 300)
    }

    @Test(arguments: [
        (UnitRounding.down, 3, 33_333, 0), (.up, 3, 33_333, 1), (.nearest, 3, 33_333, 1),
        (.down, 1, 50_000, 0), (.up, 1, 50_000, 1), (.nearest, 1, 50_000, 1), (.nearest, 1, 49_999, 0),
        (.up, 5, 40_000, 2), (.up, 5, 0, 0), (.down, 5, 100_000, 5), (.up, 5, 100_000, 5),
        (.up, 1000, 1, 1), (.down, 1000, 99_999, 999), (.nearest, 1000, 99_949, 999), (.nearest, 1000, 99_950, 1000),
    ])
    func `a share is rounded by the catalog's rule`(
        _ rounding: UnitRounding,
        _ units: Int64,
        _ percentage: Int64,
        _ expected: Int64
    ) {
        let refunded = coins().revoked(at: .day(10), .refundProrated, percentage: percentage)
        #expect(balance(refunded, catalog: catalog(units: units, rounding))?.clawedBack == expected)
    }

    /// (type, ownership, reason, percentage) → the share in thousandths of a percent that is taken.
    @Test(
        arguments: [
            ("REFUND_FULL", "PURCHASED", 0, nil, 100_000), ("REFUND_FULL", "PURCHASED", 0, 40_000, 40_000),
            ("REFUND_FULL", "PURCHASED", 0, 250_000, nil), ("REFUND_FULL", "PURCHASED", 0, -1, nil),
            ("REFUND_FULL", "PURCHASED", nil, nil, 100_000), ("REFUND_FULL", "PURCHASED", 17, nil, nil),
            ("REFUND_PRORATED", "PURCHASED", 1, 60_000, 60_000), ("REFUND_PRORATED", "PURCHASED", 0, nil, nil),
            ("REFUND_PRORATED", "PURCHASED", 0, 0, 0), ("REFUND_PRORATED", "PURCHASED", 0, 250_000, nil),
            ("FAMILY_REVOKE", "FAMILY_SHARED", 0, 100_000, nil), ("ASSIGNMENT_REVOKE", "ASSIGNED", 0, 100_000, nil),
            ("SOMETHING_NEW", "PURCHASED", 0, 30_000, 30_000), ("SOMETHING_NEW", "PURCHASED", 0, nil, nil),
            (nil, "PURCHASED", 0, nil, 100_000), (nil, "FAMILY_SHARED", 0, nil, nil), (nil, "LEASED", 0, nil, nil),
        ] as [(String?, String, Int64?, Int64?, Int64?)]
    )
    func `what is taken back follows from type, ownership, reason and percentage`(
        _ type: String?,
        _ ownership: String,
        _ reason: Int64?,
        _ percentage: Int64?,
        _ expected: Int64?
    ) {
        var fact = coins()
        fact.revocationDate = .day(10)
        fact.revocationType = type.map(Open.init(rawValue:))
        fact.ownershipType = Open(rawValue: ownership)
        fact.revocationReason = reason.map(Open.init(rawValue:))
        fact.revocationPercentage = percentage.map { Percentage($0) }
        #expect(fact.unitShareToTakeBack?.rawValue == expected)
        #expect(balance(fact, catalog: catalog(units: 100_000))?.clawedBack == expected ?? 0)
    }

    @Test func `what was not revoked has no share to take back`() {
        #expect(coins().unitShareToTakeBack == nil)
    }

    @Test func `what could not be taken back is not missing from what is left`() {
        #expect(Balance(unit: "coin", granted: 500, clawedBack: 500, used: 200, owed: 200).net == 0)
        #expect(Balance(unit: "coin", granted: 500, clawedBack: 100, used: 200, owed: 0).net == 200)
        #expect(Balance(unit: "coin", granted: 500, clawedBack: 0, used: 900, owed: 0).net == 0)
    }

    @Test func `sums past 64 bits stop at the end of the range`() {
        let huge = catalog(units: 1_000_000_000_000)
        let facts = [coins("1", quantity: .max), coins("2", quantity: .max)].map { $0.revoked(at: .day(1)) }
        let result = balance(facts[0], facts[1], catalog: huge)
        #expect(result?.granted == .max && result?.clawedBack == .max && result?.net == 0)
    }

    @Test func `a negative quantity grants nothing`() {
        #expect(balance(coins(quantity: -4), catalog: catalog())?.granted == 0)
    }

    @Test func `a purchase in the future grants when it begins`() {
        var fact = coins()
        fact.reason = .known(.renewal)
        #expect(balance(fact, catalog: catalog(), at: .day(-1)) == nil)
        let set = EntitlementSet.of(LineFacts([fact]), catalog: catalog(), at: .day(-1))
        #expect(set.nextChangeAt == .day(0))
    }

    @Test func `balances stand in the order of their units`() {
        let lines = ["b", "a", "c"].map { unit in
            LineFacts([.sample(unit, line: unit, type: .consumable, product: unit, from: 0)])
        }
        let set = EntitlementEvaluator.evaluate(CustomerFacts(lines: lines), catalog: .empty, at: .day(1))
        #expect(set.balances.map(\.unit) == ["a", "b", "c"])
    }
}
