import TestSupport
import Testing

@testable import LedgerCore

/// What was charged (API.md "Finance").
@Suite("Registers: purchases")
struct PurchaseRegisterTests {
    private func purchase(
        _ id: String,
        orderLine: String? = nil,
        _ price: Int64? = 9990,
        _ currency: String? = "USD",
        from day: Double = 0
    ) -> TransactionFact {
        .sample(id, from: day) { fact in
            fact.webOrderLineItemID = orderLine.map(WebOrderLineItemID.init)
            fact.price = price.map { Milliunits($0) }
            fact.currency = currency.map(CurrencyCode.init)
        }
    }

    private func told(_ register: PurchaseRegister) -> [String] {
        register.totals.byCurrency.map { "\($0.currency) \($0.milliunits) of \($0.purchases)" }
    }

    @Test func `a payment seen under two transactions counts once, whichever comes first`() {
        let two = [purchase("2", orderLine: "5"), purchase("1", orderLine: "5"), purchase("3", orderLine: "6")]
        for order in [two, two.reversed()] {
            let register = PurchaseRegister(order)
            #expect(register.payments.map(\.purchase.transactionID.rawValue) == ["1", "3"])
            #expect(told(register) == ["USD 19980 of 2"])
            #expect(Set(register.payments[0].transactions.map(\.rawValue)) == ["1", "2"])
        }
    }

    @Test func `of one payment the transaction that states a price stands for it`() {
        let register = PurchaseRegister([purchase("1", orderLine: "5", nil), purchase("2", orderLine: "5", from: 1)])
        #expect(told(register) == ["USD 9990 of 1"] && register.totals.unknownAmounts == 0)
    }

    @Test func `without an order line each transaction is a payment`() {
        #expect(told(PurchaseRegister([purchase("1"), purchase("2")])) == ["USD 19980 of 2"])
    }

    @Test func `only purchases count: what is shared, assigned, unknown or missing brings no revenue`() {
        let owners: [Open<OwnershipType>?] = [.known(.familyShared), .known(.assigned), .unknown("LEASED"), nil]
        let facts = owners.enumerated().map { index, owner in
            var fact = purchase("\(index)")
            fact.ownershipType = owner
            return fact
        }
        #expect(PurchaseRegister(facts).payments == [] && PurchaseRegister(facts).totals == PurchaseTotals())
    }

    @Test func `refunded and upgraded purchases were charged all the same`() {
        var upgraded = purchase("2")
        upgraded.isUpgraded = true
        #expect(told(PurchaseRegister([purchase("1").revoked(at: .day(1)), upgraded])) == ["USD 19980 of 2"])
    }

    @Test func `sums are per currency, past 64 bits, and unknown prices are counted`() {
        let facts = [
            purchase("1", .max, "VND"), purchase("2", .max, "VND"), purchase("3", 0, "JPY"), purchase("4", nil),
            purchase("5", 1, nil), purchase("6", -1),
        ]
        let register = PurchaseRegister(facts)
        #expect(told(register) == ["JPY 0 of 1", "VND 18446744073709551614 of 2"])
        #expect(register.totals.unknownAmounts == 3 && register.totals.purchases == 6)
    }
}

extension PurchaseRegister {
    /// What all of its payments add up to.
    var totals: PurchaseTotals { PurchaseTotals(payments.map(\.purchase)) }
}
