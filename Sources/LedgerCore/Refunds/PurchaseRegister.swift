/// What was charged: purchases of one environment, each payment once (API.md "Finance").
///
/// Only `PURCHASED` counts. Transactions with one `webOrderLineItemId` are one payment for one period, seen on several
/// devices; a transaction without one is a payment of its own. A refund changes nothing here.
package struct PurchaseRegister: Hashable, Sendable {
    /// One currency's sum.
    package struct CurrencyTotal: Hashable, Sendable {
        /// The currency.
        package var currency: CurrencyCode
        /// In 128 bits, which no number of 64-bit amounts can leave.
        package var milliunits: Int128 = 0
        /// How many purchases state a price in it.
        package var purchases = 0
    }

    /// One of each payment, by date of purchase.
    package let purchases: [TransactionFact]

    /// The payments among transactions, in any order.
    package init(_ transactions: some Sequence<TransactionFact>) {
        var payments: [Payment: TransactionFact] = [:]
        for fact in transactions where fact.ownershipType?.known == .purchased {
            let payment = fact.webOrderLineItemID.map(Payment.line) ?? .transaction(fact.transactionID)
            if let other = payments[payment], !fact.represents(insteadOf: other) { continue }
            payments[payment] = fact
        }
        purchases = payments.values.sorted {
            ($0.effectivePurchaseDate, $0.transactionID) < ($1.effectivePurchaseDate, $1.transactionID)
        }
    }

    /// The sums, in the order of the currencies' codes.
    package var byCurrency: [CurrencyTotal] {
        var totals: [CurrencyCode: CurrencyTotal] = [:]
        for price in purchases.lazy.compactMap(\.statedPrice) {
            var total = totals[price.currency] ?? CurrencyTotal(currency: price.currency)
            total.milliunits += Int128(price.amount.rawValue)
            total.purchases += 1
            totals[price.currency] = total
        }
        return totals.values.sorted { $0.currency < $1.currency }
    }

    /// How many purchases state no price from 0 up with its currency: they are in no sum.
    package var unknownAmounts: Int { purchases.lazy.filter { $0.statedPrice == nil }.count }

    private enum Payment: Hashable {
        case line(WebOrderLineItemID)
        case transaction(TransactionID)
    }
}

extension TransactionFact {
    /// Which of two transactions of one payment stands for it: one with a price, then the earlier purchase, then the
    /// lesser identifier.
    fileprivate func represents(insteadOf other: TransactionFact) -> Bool {
        let hasPrice = statedPrice != nil
        if hasPrice != (other.statedPrice != nil) { return hasPrice }
        return (effectivePurchaseDate, transactionID) < (other.effectivePurchaseDate, other.transactionID)
    }
}
