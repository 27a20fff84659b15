/// A transaction as the App Store signed it (`JWSTransactionDecodedPayload`, PROTOCOL.md section 2.1): one rendering of
/// one purchase, renewal or restore.
///
/// Letters in the comments: C consumable, N non-consumable, R non-renewing, S auto-renewable subscription.
package struct TransactionDocument: StoreDocument {
    /// This purchase, restore or renewal.
    package var transactionID: TransactionID?
    /// The first transaction of the line that this one belongs to.
    package var originalTransactionID: OriginalTransactionID?
    /// The payment for this period (S), the same on all devices.
    package var webOrderLineItemID: WebOrderLineItemID?
    /// The app.
    package var bundleID: BundleID?
    /// The product; for Advanced Commerce a generic one, the SKUs are in ``advancedCommerceInfo``.
    package var productID: ProductID?
    /// The subscription group (S).
    package var subscriptionGroupID: SubscriptionGroupID?
    /// When the account was charged; of a renewal the start of its period.
    ///
    /// It can lie after ``signedDate`` (appendix C).
    package var purchaseDate: Instant?
    /// ``purchaseDate`` of the first transaction of the line.
    package var originalPurchaseDate: Instant?
    /// When the period ends (S only).
    package var expiresDate: Instant?
    /// Units bought, 1…10 by the documentation; any integer is kept.
    package var quantity: Int64?
    /// The kind of product.
    package var type: Open<ProductType>?
    /// The developer's account link.
    package var appAccountToken: AppAccountToken?
    /// Bought, shared by family, or assigned.
    package var ownershipType: Open<OwnershipType>?
    /// When this rendering was signed: the order of renderings, not the time of the event (PROTOCOL.md section 8.2).
    package var signedDate: Instant?
    /// When the App Store refunded or revoked; only in revoked transactions.
    package var revocationDate: Instant?
    /// Why it was revoked.
    package var revocationReason: Open<RevocationReason>?
    /// Refund in full or in part, or no refund at all.
    package var revocationType: Open<RevocationType>?
    /// The share of the price that was refunded, over the whole quantity: a state, not an increment.
    package var revocationPercentage: Percentage?
    /// Whether an upgrade replaced it; the App Store writes it only when true.
    package var isUpgraded: Bool?
    /// The kind of offer used for this period.
    package var offerType: Open<OfferType>?
    /// The offer; absent for introductory ones.
    package var offerIdentifier: String?
    /// How the offer is paid.
    package var offerDiscountType: Open<OfferDiscountType>?
    /// The duration of the offer, ISO 8601 (`P2M`).
    package var offerPeriod: String?
    /// Where the identifiers of this document are valid.
    package var environment: Open<StoreEnvironment>?
    /// The storefront's country, ISO 3166-1 alpha-3.
    package var storefront: String?
    /// The App Store's number of the storefront.
    package var storefrontID: String?
    /// Purchase by the customer, or renewal by the system.
    package var transactionReason: Open<TransactionReason>?
    /// The total for the quantity, offer applied.
    package var price: Milliunits?
    /// The currency of ``price``.
    package var currency: CurrencyCode?
    /// The customer in this app; absent before 2025 and in Xcode.
    package var appTransactionID: AppTransactionID?
    /// Advanced Commerce details.
    package var advancedCommerceInfo: AdvancedCommerceTransactionInfo?
    /// How a yearly product with a commitment is billed (S).
    package var billingPlanType: Open<BillingPlanType>?
    /// The running commitment (S, monthly billing).
    package var commitmentInfo: TransactionCommitmentInfo?
    /// The line before a migration to Advanced Commerce or a move between bundle and single subscription.
    package var previousOriginalTransactionID: OriginalTransactionID?
    /// Binds the document to a device (PROTOCOL.md section 7); only in documents from a device.
    package var deviceVerification: String?
    /// The nonce of ``deviceVerification``.
    package var deviceVerificationNonce: String?

    package var malformedMembers: [String] = []

    package init() {}
}

extension TransactionDocument {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case transactionID = "transactionId"
        case originalTransactionID = "originalTransactionId"
        case webOrderLineItemID = "webOrderLineItemId"
        case bundleID = "bundleId"
        case productID = "productId"
        case subscriptionGroupID = "subscriptionGroupIdentifier"
        case purchaseDate
        case originalPurchaseDate
        case expiresDate
        case quantity
        case type
        case appAccountToken
        case ownershipType = "inAppOwnershipType"
        case signedDate
        case revocationDate
        case revocationReason
        case revocationType
        case revocationPercentage
        case isUpgraded
        case offerType
        case offerIdentifier
        case offerDiscountType
        case offerPeriod
        case environment
        case storefront
        case storefrontID = "storefrontId"
        case transactionReason
        case price
        case currency
        case appTransactionID = "appTransactionId"
        case advancedCommerceInfo
        case billingPlanType
        case commitmentInfo
        case previousOriginalTransactionID = "previousOriginalTransactionId"
        case deviceVerification
        case deviceVerificationNonce
    }

    package static var parts: [(member: Member, type: any DocumentPart.Type)] {
        [
            (.advancedCommerceInfo, AdvancedCommerceTransactionInfo.self),
            (.commitmentInfo, TransactionCommitmentInfo.self),
        ]
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        // First, because it decides how times are read.
        environment = members.value(.environment)
        members.truncatesFractions = environment?.known == .xcode
        transactionID = members.value(.transactionID)
        originalTransactionID = members.value(.originalTransactionID)
        webOrderLineItemID = members.value(.webOrderLineItemID)
        bundleID = members.value(.bundleID)
        productID = members.value(.productID)
        subscriptionGroupID = members.value(.subscriptionGroupID)
        purchaseDate = members.instant(.purchaseDate)
        originalPurchaseDate = members.instant(.originalPurchaseDate)
        expiresDate = members.instant(.expiresDate)
        quantity = members.integer(.quantity)
        type = members.value(.type)
        appAccountToken = members.value(.appAccountToken)
        ownershipType = members.value(.ownershipType)
        signedDate = members.instant(.signedDate)
        revocationDate = members.instant(.revocationDate)
        revocationReason = members.value(.revocationReason)
        revocationType = members.value(.revocationType)
        revocationPercentage = members.value(.revocationPercentage)
        isUpgraded = members.boolean(.isUpgraded)
        offerType = members.value(.offerType)
        offerIdentifier = members.text(.offerIdentifier)
        offerDiscountType = members.value(.offerDiscountType)
        offerPeriod = members.text(.offerPeriod)
        storefront = members.text(.storefront)
        storefrontID = members.text(.storefrontID)
        transactionReason = members.value(.transactionReason)
        price = members.value(.price)
        currency = members.value(.currency)
        appTransactionID = members.value(.appTransactionID)
        advancedCommerceInfo = members.part(.advancedCommerceInfo)
        billingPlanType = members.value(.billingPlanType)
        commitmentInfo = members.part(.commitmentInfo)
        previousOriginalTransactionID = members.value(.previousOriginalTransactionID)
        deviceVerification = members.text(.deviceVerification)
        deviceVerificationNonce = members.text(.deviceVerificationNonce)
    }
}
