/// What is known of the next renewal of a line: the members of the winning renewal info that answers depend on.
package struct RenewalFact: RenderedFact, Hashable {
    package var rendering: Rendering
    package var originalTransactionID: OriginalTransactionID
    package var productID: ProductID?
    package var autoRenewProductID: ProductID?
    package var autoRenewStatus: Open<AutoRenewStatus>?
    package var expirationIntent: Open<ExpirationIntent>?
    package var isInBillingRetryPeriod: Bool?
    package var gracePeriodExpiresDate: Instant?
    package var priceIncreaseStatus: Open<PriceIncreaseStatus>?
    package var renewalDate: Instant?

    /// The fact that one rendering states, or nil when the document lacks its identity.
    package init?(_ document: RenewalInfoDocument, digest: DocumentDigest, position: Position) {
        guard let line = document.originalTransactionID, let signedAt = document.signedDate else { return nil }
        self.init(
            rendering: Rendering(signedAt: signedAt, digest: digest, position: position),
            originalTransactionID: line
        )
        productID = document.productID
        autoRenewProductID = document.autoRenewProductID
        autoRenewStatus = document.autoRenewStatus
        expirationIntent = document.expirationIntent
        isInBillingRetryPeriod = document.isInBillingRetryPeriod
        gracePeriodExpiresDate = document.gracePeriodExpiresDate
        priceIncreaseStatus = document.priceIncreaseStatus
        renewalDate = document.renewalDate
    }

    /// A fact read back from where it was kept; the other members are set afterwards.
    package init(rendering: Rendering, originalTransactionID: OriginalTransactionID) {
        self.rendering = rendering
        self.originalTransactionID = originalTransactionID
    }
}
