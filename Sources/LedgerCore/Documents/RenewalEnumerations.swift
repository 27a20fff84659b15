// The enumerations of a renewal info and an app transaction (PROTOCOL.md section 2.10), each used as `Open<…>`.

/// Whether the subscription will renew (`autoRenewStatus`, `commitmentAutoRenewStatus`).
package enum AutoRenewStatus: Int64, Hashable, Sendable, CaseIterable {
    case off = 0
    case on = 1
}

/// Why a subscription expired (`expirationIntent`).
package enum ExpirationIntent: Int64, Hashable, Sendable, CaseIterable {
    case cancelled = 1
    case billingError = 2
    /// No consent to a price increase, or to an offer conversion that needed consent.
    case noConsentToPriceIncrease = 3
    case productNotForSale = 4
    case other = 5
}

/// The customer's answer to a price increase (`priceIncreaseStatus`).
package enum PriceIncreaseStatus: Int64, Hashable, Sendable, CaseIterable {
    /// Consent is required and the customer has not answered.
    case pending = 0
    /// The customer consented, or was told of an increase that needs no consent.
    case accepted = 1
}

/// The state of a subscription as the App Store sees it (`status`).
package enum SubscriptionStatus: Int64, Hashable, Sendable, CaseIterable {
    case active = 1
    case expired = 2
    case billingRetry = 3
    case billingGracePeriod = 4
    case revoked = 5
}

/// The platform on which the customer first got the app (`originalPlatform`).
package enum OriginalPlatform: String, Hashable, Sendable, CaseIterable {
    case iOS
    case macOS
    case tvOS
    case visionOS
}
