// The enumerations of a notification (PROTOCOL.md sections 2.10 and 3.2), each used as `Open<…>`. Their meaning for
// entitlements comes from the documents inside, never from these names.

/// What a notification tells (`notificationType`, PROTOCOL.md section 3.2).
package enum NotificationType: String, Hashable, Sendable, CaseIterable {
    case subscribed = "SUBSCRIBED"
    case didRenew = "DID_RENEW"
    case didChangeRenewalPreference = "DID_CHANGE_RENEWAL_PREF"
    case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
    case offerRedeemed = "OFFER_REDEEMED"
    case didFailToRenew = "DID_FAIL_TO_RENEW"
    case gracePeriodExpired = "GRACE_PERIOD_EXPIRED"
    case expired = "EXPIRED"
    case priceIncrease = "PRICE_INCREASE"
    case refund = "REFUND"
    case refundReversed = "REFUND_REVERSED"
    case refundDeclined = "REFUND_DECLINED"
    case consumptionRequest = "CONSUMPTION_REQUEST"
    case revoke = "REVOKE"
    case renewalExtended = "RENEWAL_EXTENDED"
    case renewalExtension = "RENEWAL_EXTENSION"
    case oneTimeCharge = "ONE_TIME_CHARGE"
    case externalPurchaseToken = "EXTERNAL_PURCHASE_TOKEN"
    case rescindConsent = "RESCIND_CONSENT"
    case priceChange = "PRICE_CHANGE"
    case metadataUpdate = "METADATA_UPDATE"
    case migration = "MIGRATION"
    /// One changelog's spelling of ``migration`` (PROTOCOL.md 9-10): the same meaning.
    case migrate = "MIGRATE"
    case test = "TEST"
}

/// The circumstances of a notification (`subtype`, PROTOCOL.md section 3.2).
package enum NotificationSubtype: String, Hashable, Sendable, CaseIterable {
    case initialBuy = "INITIAL_BUY"
    case resubscribe = "RESUBSCRIBE"
    case downgrade = "DOWNGRADE"
    case upgrade = "UPGRADE"
    case autoRenewEnabled = "AUTO_RENEW_ENABLED"
    case autoRenewDisabled = "AUTO_RENEW_DISABLED"
    case voluntary = "VOLUNTARY"
    case billingRetry = "BILLING_RETRY"
    case priceIncrease = "PRICE_INCREASE"
    case gracePeriod = "GRACE_PERIOD"
    case pending = "PENDING"
    case accepted = "ACCEPTED"
    case billingRecovery = "BILLING_RECOVERY"
    case productNotForSale = "PRODUCT_NOT_FOR_SALE"
    case summary = "SUMMARY"
    /// One page's spelling of ``summary`` (PROTOCOL.md 9-11): the same meaning.
    case success = "SUCCESS"
    case failure = "FAILURE"
    case unreported = "UNREPORTED"
    case created = "CREATED"
    case activeTokenReminder = "ACTIVE_TOKEN_REMINDER"
}

/// Why the customer asks for a refund (`consumptionRequestReason`).
package enum ConsumptionRequestReason: String, Hashable, Sendable, CaseIterable {
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    case unsatisfiedWithPurchase = "UNSATISFIED_WITH_PURCHASE"
    case legal = "LEGAL"
    case other = "OTHER"
}

/// What an external purchase token is for (`tokenType`, only custom-link tokens).
package enum ExternalPurchaseTokenType: String, Hashable, Sendable, CaseIterable {
    case services = "SERVICES"
    case acquisition = "ACQUISITION"
}
