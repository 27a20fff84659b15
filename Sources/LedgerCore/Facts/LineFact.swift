/// What is known of a line as a whole: whose it is, and what Apple last said of its status.
///
/// Each member is a register over everything ever seen of the line, so no order of arrival changes it.
package struct LineFact: Hashable, Sendable {
    /// When a purchase was made, then when its rendering was signed.
    package struct PurchaseRank: Hashable, Comparable, Sendable {
        package var purchaseDate: Instant
        package var signedAt: Instant

        package init(purchaseDate: Instant, signedAt: Instant) {
            self.purchaseDate = purchaseDate
            self.signedAt = signedAt
        }

        package static func < (left: Self, right: Self) -> Bool {
            (left.purchaseDate, left.signedAt) < (right.purchaseDate, right.signedAt)
        }
    }

    package var originalTransactionID: OriginalTransactionID
    /// The customer, from any document that names one; it is absent in documents signed before 2025.
    package var appTransactionID: Register<Instant, AppTransactionID>?
    /// The token of the newest purchase that has one.
    package var purchaseToken: Register<PurchaseRank, AppAccountToken>?
    /// The token that the next renewal will carry, of the newest renewal info that has one.
    package var renewalToken: Register<Instant, AppAccountToken>?
    /// `data.status` of the notification signed last.
    package var appleStatus: Register<Instant, Int64>?
    /// Whether reports of used units name the line, or a customer's key that it ever bore.
    ///
    /// A transaction that they name bears the mark itself, and takes it along when it moves to another line.
    package var hasUsage = false

    package init(_ originalTransactionID: OriginalTransactionID) {
        self.originalTransactionID = originalTransactionID
    }

    /// The line's token now: the newest observation among the newest purchase and the renewal info; one without a
    /// token does not erase a known one (PROTOCOL.md section 8.1).
    package var appAccountToken: AppAccountToken? {
        guard let purchase = purchaseToken else { return renewalToken?.value }
        guard let renewal = renewalToken else { return purchase.value }
        return (renewal.rank, renewal.value) > (purchase.rank.signedAt, purchase.value) ? renewal.value : purchase.value
    }

    package mutating func merge(_ other: LineFact) {
        appTransactionID.merge(other.appTransactionID)
        purchaseToken.merge(other.purchaseToken)
        renewalToken.merge(other.renewalToken)
        appleStatus.merge(other.appleStatus)
        hasUsage = hasUsage || other.hasUsage
    }
}
