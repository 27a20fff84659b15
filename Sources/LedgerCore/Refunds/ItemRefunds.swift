/// What the items of an Advanced Commerce purchase say of money given back: per item and in money, not as a share of
/// the price (PROTOCOL.md sections 2.9 and 8.5).
package struct ItemRefunds: Hashable, Sendable {
    /// How many refunds the items list.
    package var count: Int
    /// Their sum, in the currency of the transaction; nil when one has no amount or a negative one, or when the sum
    /// leaves `Int64`.
    package var total: Milliunits?
    /// The newest date of a refund or of an item's revocation.
    package var newestDate: Instant?

    /// What was read before.
    init(count: Int, total: Milliunits?, newestDate: Instant?) {
        self.count = count
        self.total = total
        self.newestDate = newestDate
    }

    /// What these details say; nil when no item was refunded or revoked.
    package init?(_ info: AdvancedCommerceTransactionInfo?) {
        let items = info?.items ?? []
        let refunds = items.flatMap { $0.refunds ?? [] }
        let revocations = items.compactMap(\.revocationDate)
        guard !refunds.isEmpty || !revocations.isEmpty else { return nil }
        count = refunds.count
        newestDate = (refunds.compactMap(\.refundDate) + revocations).max()
        let amounts = refunds.compactMap(\.refundAmount?.rawValue).filter { $0 >= 0 }
        // At most 2^31 items of less than 2^63: the sum stays inside 128 bits.
        let sum = amounts.reduce(Int128(0)) { $0 + Int128($1) }
        total = amounts.count == refunds.count ? Int64(exactly: sum).map { Milliunits($0) } : nil
    }
}
