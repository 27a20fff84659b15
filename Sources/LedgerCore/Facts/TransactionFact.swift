/// What is known of one transaction: the members of its winning rendering that answers depend on.
package struct TransactionFact: RenderedFact, Hashable {
    package var rendering: Rendering
    package var transactionID: TransactionID
    package var originalTransactionID: OriginalTransactionID
    package var appTransactionID: AppTransactionID?
    package var appAccountToken: AppAccountToken?
    package var webOrderLineItemID: WebOrderLineItemID?
    package var bundleID: BundleID?
    package var productID: ProductID?
    package var type: Open<ProductType>?
    package var subscriptionGroupID: SubscriptionGroupID?
    package var ownershipType: Open<OwnershipType>?
    package var reason: Open<TransactionReason>?
    package var purchaseDate: Instant?
    package var expiresDate: Instant?
    package var quantity: Int64?
    package var isUpgraded: Bool
    package var revocationDate: Instant?
    package var revocationReason: Open<RevocationReason>?
    package var revocationType: Open<RevocationType>?
    package var revocationPercentage: Percentage?
    package var price: Milliunits?
    package var currency: CurrencyCode?
    /// How many renderings of it are recorded.
    package var versions: Int
    /// Whether a report of used units names it.
    package var hasUsage = false

    /// The fact that one rendering states, or nil when the document lacks its identity.
    package init?(_ document: TransactionDocument, digest: DocumentDigest, position: Position) {
        guard let transactionID = document.transactionID, let originalTransactionID = document.originalTransactionID,
            let signedAt = document.signedDate
        else { return nil }
        rendering = Rendering(
            signedAt: signedAt,
            isRevoked: document.revocationDate != nil,
            digest: digest,
            position: position
        )
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        appTransactionID = document.appTransactionID
        appAccountToken = document.appAccountToken
        webOrderLineItemID = document.webOrderLineItemID
        bundleID = document.bundleID
        productID = document.productID
        type = document.type
        subscriptionGroupID = document.subscriptionGroupID
        ownershipType = document.ownershipType
        reason = document.transactionReason
        purchaseDate = document.purchaseDate
        expiresDate = document.expiresDate
        quantity = document.quantity
        isUpgraded = document.isUpgraded ?? false
        revocationDate = document.revocationDate
        revocationReason = document.revocationReason
        revocationType = document.revocationType
        revocationPercentage = document.revocationPercentage
        price = document.price
        currency = document.currency
        versions = 1
    }

    /// A fact read back from where it was kept; the members that are not keys are set afterwards.
    package init(
        rendering: Rendering,
        transactionID: TransactionID,
        originalTransactionID: OriginalTransactionID,
        versions: Int
    ) {
        self.rendering = rendering
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.versions = versions
        isUpgraded = false
    }

    package mutating func absorb(_ loser: TransactionFact) {
        versions += loser.versions
        hasUsage = hasUsage || loser.hasUsage
    }
}

extension TransactionFact {
    /// When the purchase counts from.
    ///
    /// Every real transaction has a `purchaseDate`; one without counts from its signing.
    package var effectivePurchaseDate: Instant { purchaseDate ?? rendering.signedAt }

    /// Whether a revocation is in force at an instant.
    package func isRevoked(at instant: Instant) -> Bool { revocationDate.map { $0 <= instant } ?? false }

    /// When the purchase has happened.
    ///
    /// Sandbox dates run up to a minute ahead of the signing time, so a customer's own purchase counts from its signing
    /// where that is earlier (PROTOCOL.md section 8.3 step 2).
    package var beginsAt: Instant {
        guard ownershipType?.known == .purchased, reason?.known != .renewal else { return effectivePurchaseDate }
        return min(effectivePurchaseDate, rendering.signedAt)
    }

    /// Whether the purchase has happened at an instant.
    package func hasBegun(at instant: Instant) -> Bool { beginsAt <= instant }

    /// Whether it can grant access at an instant: neither replaced by an upgrade nor revoked, and begun.
    package func isLive(at instant: Instant) -> Bool {
        !isUpgraded && !isRevoked(at: instant) && hasBegun(at: instant)
    }

    /// What keeps a transaction from granting access.
    package enum Hindrance: Sendable, Hashable {
        case upgraded
        case revoked(since: Instant, Open<RevocationType>?)
        case notBegun(begin: Instant)
    }

    /// What keeps it from granting access at an instant; nil where it ``isLive(at:)``.
    package func hindrance(at instant: Instant) -> Hindrance? {
        if isLive(at: instant) { return nil }
        if isUpgraded { return .upgraded }
        if isRevoked(at: instant), let revocationDate { return .revoked(since: revocationDate, revocationType) }
        return .notBegun(begin: beginsAt)
    }

    /// The order in which purchases of one line replace each other: the later purchase, then the longer one, then the
    /// greater identifier (PROTOCOL.md section 8.3 step 2).
    package func precedes(_ other: TransactionFact) -> Bool {
        if effectivePurchaseDate != other.effectivePurchaseDate {
            return effectivePurchaseDate < other.effectivePurchaseDate
        }
        let end = expiresDate?.milliseconds ?? .min
        let otherEnd = other.expiresDate?.milliseconds ?? .min
        return end == otherEnd ? transactionID < other.transactionID : end < otherEnd
    }
}
