/// What is known of a customer as the App Store knows them: the winning app transaction.
package struct AppTransactionFact: RenderedFact, Hashable {
    package var rendering: Rendering
    package var appTransactionID: AppTransactionID
    package var bundleID: BundleID?
    package var originalPurchaseDate: Instant?
    package var originalApplicationVersion: String?
    package var originalPlatform: Open<OriginalPlatform>?
    package var preorderDate: Instant?

    /// The fact that one rendering states, or nil when the document lacks its identity.
    package init?(_ document: AppTransactionDocument, digest: DocumentDigest, position: Position) {
        guard let appTransactionID = document.appTransactionID, let signedAt = document.receiptCreationDate else {
            return nil
        }
        rendering = Rendering(signedAt: signedAt, digest: digest, position: position)
        self.appTransactionID = appTransactionID
        bundleID = document.bundleID
        originalPurchaseDate = document.originalPurchaseDate
        originalApplicationVersion = document.originalApplicationVersion
        originalPlatform = document.originalPlatform
        preorderDate = document.preorderDate
    }

    /// A fact read back from where it was kept; the other members are set afterwards.
    package init(rendering: Rendering, appTransactionID: AppTransactionID) {
        self.rendering = rendering
        self.appTransactionID = appTransactionID
    }
}
