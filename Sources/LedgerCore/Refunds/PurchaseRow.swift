/// A row of the register of purchases: a payment, and when the ledger first heard of it.
package struct PurchaseRow: Hashable, Sendable {
    /// The transaction that stands for the payment.
    package var purchase: TransactionFact
    /// When any transaction of the payment was first recorded.
    package var recordedAt: Instant

    /// A row.
    package init(_ purchase: TransactionFact, recordedAt: Instant) {
        self.purchase = purchase
        self.recordedAt = recordedAt
    }

    /// Why a person should look at it; empty for nearly every purchase.
    package var flags: Set<RegisterFlag> { purchase.statedPrice == nil ? [.priceUnknown] : [] }
}
