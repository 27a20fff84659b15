/// What the next renewal of a subscription will be (`JWSRenewalInfoDecodedPayload`, PROTOCOL.md section 2.2).
///
/// It names no app: it is bound to one by the transaction that came with it.
package struct RenewalInfoDocument: StoreDocument {
    /// The line of the subscription.
    package var originalTransactionID: OriginalTransactionID?
    /// The current, or last, product.
    package var productID: ProductID?
    /// The product of the next period; another one while a downgrade or crossgrade is pending.
    package var autoRenewProductID: ProductID?
    /// Whether it will renew; says nothing about access now.
    package var autoRenewStatus: Open<AutoRenewStatus>?
    /// Why it expired; only when it has.
    package var expirationIntent: Open<ExpirationIntent>?
    /// Whether the App Store still tries to charge an expired subscription.
    package var isInBillingRetryPeriod: Bool?
    /// The end of the billing grace period; only after a failed charge.
    package var gracePeriodExpiresDate: Instant?
    /// The answer to a price increase; only while one applies.
    package var priceIncreaseStatus: Open<PriceIncreaseStatus>?
    /// The kind of offer that applies to the next period.
    package var offerType: Open<OfferType>?
    /// The offer that applies to the next period.
    package var offerIdentifier: String?
    /// How the offer of the next period is paid.
    package var offerDiscountType: Open<OfferDiscountType>?
    /// The duration of the offer of the next period, ISO 8601.
    package var offerPeriod: String?
    /// When this rendering was signed: the order of renderings (PROTOCOL.md section 8.2).
    package var signedDate: Instant?
    /// Where the identifiers of this document are valid.
    package var environment: Open<StoreEnvironment>?
    /// The start of the present run of service, gaps up to 60 days ignored.
    package var recentSubscriptionStartDate: Instant?
    /// The expiry of the most recent purchase; can lie in the past.
    package var renewalDate: Instant?
    /// The price of the next period, offer included.
    package var renewalPrice: Milliunits?
    /// The currency of ``renewalPrice``.
    package var currency: CurrencyCode?
    /// Win-back offers that the customer may take, best first.
    package var eligibleWinBackOfferIDs: [String]?
    /// The customer in this app.
    package var appTransactionID: AppTransactionID?
    /// The account link that the next renewal will carry.
    package var appAccountToken: AppAccountToken?
    /// Advanced Commerce details.
    package var advancedCommerceInfo: AdvancedCommerceRenewalInfo?
    /// How the next period is billed.
    package var renewalBillingPlanType: Open<BillingPlanType>?
    /// The next commitment.
    package var commitmentInfo: RenewalCommitmentInfo?
    /// Binds the document to a device (PROTOCOL.md section 7); only in documents from a device.
    package var deviceVerification: String?
    /// The nonce of ``deviceVerification``.
    package var deviceVerificationNonce: String?

    package var malformedMembers: [String] = []

    package init() {}
}

extension RenewalInfoDocument {
    /// The members by their names on the wire.
    package enum Member: String, CaseIterable {
        case originalTransactionID = "originalTransactionId"
        case productID = "productId"
        case autoRenewProductID = "autoRenewProductId"
        case autoRenewStatus
        case expirationIntent
        case isInBillingRetryPeriod
        case gracePeriodExpiresDate
        case priceIncreaseStatus
        case offerType
        case offerIdentifier
        case offerDiscountType
        case offerPeriod
        case signedDate
        case environment
        case recentSubscriptionStartDate
        case renewalDate
        case renewalPrice
        case currency
        case eligibleWinBackOfferIDs = "eligibleWinBackOfferIds"
        case appTransactionID = "appTransactionId"
        case appAccountToken
        case advancedCommerceInfo
        case renewalBillingPlanType
        case commitmentInfo
        case deviceVerification
        case deviceVerificationNonce
    }

    package static var parts: [(member: Member, type: any DocumentPart.Type)] {
        [(.advancedCommerceInfo, AdvancedCommerceRenewalInfo.self), (.commitmentInfo, RenewalCommitmentInfo.self)]
    }

    package mutating func read(_ members: inout MemberReader<Member>) {
        // First, because it decides how times are read.
        environment = members.value(.environment)
        members.truncatesFractions = environment?.known == .xcode
        originalTransactionID = members.value(.originalTransactionID)
        productID = members.value(.productID)
        autoRenewProductID = members.value(.autoRenewProductID)
        autoRenewStatus = members.value(.autoRenewStatus)
        expirationIntent = members.value(.expirationIntent)
        isInBillingRetryPeriod = members.boolean(.isInBillingRetryPeriod)
        gracePeriodExpiresDate = members.instant(.gracePeriodExpiresDate)
        priceIncreaseStatus = members.value(.priceIncreaseStatus)
        offerType = members.value(.offerType)
        offerIdentifier = members.text(.offerIdentifier)
        offerDiscountType = members.value(.offerDiscountType)
        offerPeriod = members.text(.offerPeriod)
        signedDate = members.instant(.signedDate)
        recentSubscriptionStartDate = members.instant(.recentSubscriptionStartDate)
        renewalDate = members.instant(.renewalDate)
        renewalPrice = members.value(.renewalPrice)
        currency = members.value(.currency)
        eligibleWinBackOfferIDs = members.texts(.eligibleWinBackOfferIDs)
        appTransactionID = members.value(.appTransactionID)
        appAccountToken = members.value(.appAccountToken)
        advancedCommerceInfo = members.part(.advancedCommerceInfo)
        renewalBillingPlanType = members.value(.renewalBillingPlanType)
        commitmentInfo = members.part(.commitmentInfo)
        deviceVerification = members.text(.deviceVerification)
        deviceVerificationNonce = members.text(.deviceVerificationNonce)
    }
}
