/// How many transactions are revoked, and as what the registers hold them (DESIGN section 5: refunds and the rest are all
/// revocations).
package struct RevocationBalance: Hashable, Sendable {
    /// How many are revoked, by their winning renderings.
    package var revoked = 0
    /// How many the registers hold as refunded.
    package var refunded = 0
    /// How many the registers hold as revoked without money.
    package var withoutRefund = 0

    /// Nothing is revoked.
    package init() {}

    /// Takes some transactions in so many times; they are taken out where that is negative.
    package mutating func add(_ partition: RevocationPartition, _ times: Int) {
        revoked += times * partition.revoked
        refunded += times * partition.refunded
        withoutRefund += times * partition.withoutRefund.values.reduce(0, +)
    }

    /// Whether refunds and the rest are all revocations.
    package var isWhole: Bool { refunded + withoutRefund == revoked }
}
