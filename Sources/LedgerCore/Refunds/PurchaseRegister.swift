/// What was charged: purchases of one environment, each payment once (API.md "Finance").
///
/// Only `PURCHASED` counts. Transactions with one `webOrderLineItemId` are one payment for one period, seen on several
/// devices; a transaction without one is a payment of its own. A refund changes nothing here.
package struct PurchaseRegister: Hashable, Sendable {
    /// A payment.
    package struct Payment: Hashable, Sendable {
        /// The transaction that stands for it: one with a price, then the earlier purchase, then the lesser identifier.
        package fileprivate(set) var purchase: TransactionFact
        /// All transactions that it was seen under.
        package fileprivate(set) var transactions: [TransactionID]
    }

    /// One of each payment, by date of purchase.
    package let payments: [Payment]

    /// The payments among transactions, in any order.
    package init(_ transactions: some Sequence<TransactionFact>) {
        var payments: [Identity: Payment] = [:]
        for fact in transactions where fact.ownershipType?.known == .purchased {
            let identity = fact.webOrderLineItemID.map(Identity.line) ?? .transaction(fact.transactionID)
            guard var payment = payments[identity] else {
                payments[identity] = Payment(purchase: fact, transactions: [fact.transactionID])
                continue
            }
            payment.transactions.append(fact.transactionID)
            if fact.represents(insteadOf: payment.purchase) { payment.purchase = fact }
            payments[identity] = payment
        }
        self.payments = payments.values.sorted {
            ($0.purchase.effectivePurchaseDate, $0.purchase.transactionID)
                < ($1.purchase.effectivePurchaseDate, $1.purchase.transactionID)
        }
    }

    private enum Identity: Hashable {
        case line(WebOrderLineItemID)
        case transaction(TransactionID)
    }
}

extension TransactionFact {
    fileprivate func represents(insteadOf other: TransactionFact) -> Bool {
        let hasPrice = statedPrice != nil
        if hasPrice != (other.statedPrice != nil) { return hasPrice }
        return (effectivePurchaseDate, transactionID) < (other.effectivePurchaseDate, other.transactionID)
    }
}
