import TestSupport
import Testing

@testable import LedgerCore

/// PROTOCOL.md appendix B.
@Suite("Worked examples")
struct WorkedExampleTests {
    private func share(_ price: Int64, _ percentage: Int64) -> Int64? {
        Money(amount: Milliunits(price), currency: CurrencyCode(rawValue: "USD")).share(Percentage(percentage))?.amount
            .rawValue
    }

    @Test func `clawback amounts`() {
        #expect(share(10_990, 50_000) == 5495)
        #expect(share(2_990_000, 67_932) == 2_031_167)
        #expect(share(8970, 33_333) == 2990)
        #expect(share(8970, 66_667) == 5980)
    }

    private func fold(_ payloads: [Payload]) -> FactSet {
        var facts = FactSet()
        for (index, payload) in payloads.enumerated() { facts.fold(event(.transaction, payload, at: Int64(index + 1))) }
        return facts
    }

    private func customer(_ facts: FactSet) -> CustomerFacts {
        CustomerFacts(
            lines: facts.lines.values.map { LineFacts(line: $0, transactions: Array(facts.transactions.values)) }
        )
    }

    private func renderings(_ number: Int64) -> Payload.Value { .integer(Payload.sampleSignedDate + number) }

    @Test func `upgrade out of order`() {
        func plan(_ id: String, _ signed: Int64, purchase: Int64, expires: Int64, _ product: String) -> Payload {
            .transaction(
                id,
                line: "1",
                [
                    "signedDate": renderings(signed), "purchaseDate": renderings(purchase),
                    "expiresDate": renderings(expires), "productId": .text(product),
                ]
            )
        }
        let old = plan("1", 10, purchase: 0, expires: 100, "old")
        let new = plan("2", 20, purchase: 50, expires: 150, "new")
        let replaced = old.with(["signedDate": renderings(21), "isUpgraded": true])
        let at = Instant(milliseconds: Payload.sampleSignedDate + 60)
        for order in [old, new, replaced].permutations + [old, new].permutations {
            let set = EntitlementEvaluator.evaluate(customer(fold(order)), catalog: .empty, at: at)
            #expect(set.products == ["new"])
        }
    }

    @Test func `reversal out of order`() {
        let coins = Payload.transaction("1", ["type": "Consumable", "productId": "coins", "expiresDate": nil])
        let bought = coins.with(["signedDate": renderings(10)])
        let refunded = coins.with([
            "signedDate": renderings(20), "revocationDate": renderings(19), "revocationType": "REFUND_PRORATED",
            "revocationPercentage": 30_000, "revocationReason": 0,
        ])
        let reversed = coins.with(["signedDate": renderings(30), "price": 9990])
        let catalog = Catalog(products: [ProductID(rawValue: "coins"): CatalogProduct(units: 100)])
        let at = Instant(milliseconds: Payload.sampleSignedDate + 60)
        for order in [bought, refunded, reversed].permutations {
            let facts = fold(order)
            #expect(facts.transactions.values.map(\.versions) == [3])
            let set = EntitlementEvaluator.evaluate(customer(facts), catalog: catalog, at: at)
            #expect(set.balances == [Balance(unit: "coins", granted: 100, clawedBack: 0)])
        }
        let taken = EntitlementEvaluator.evaluate(customer(fold([refunded, bought])), catalog: catalog, at: at)
        #expect(taken.balances == [Balance(unit: "coins", granted: 100, clawedBack: 30)])
    }
}
