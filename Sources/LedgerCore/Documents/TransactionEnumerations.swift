// The enumerations of a transaction (PROTOCOL.md section 2.10), each used as `Open<…>`. Integers are `Int64`, so that
// values no list has yet are kept at any size.

/// What kind of product was bought (`type`).
package enum ProductType: String, Hashable, Sendable, CaseIterable {
    case autoRenewableSubscription = "Auto-Renewable Subscription"
    case nonConsumable = "Non-Consumable"
    case consumable = "Consumable"
    case nonRenewingSubscription = "Non-Renewing Subscription"
}

/// How the customer came to the product (`inAppOwnershipType`).
package enum OwnershipType: String, Hashable, Sendable, CaseIterable {
    case purchased = "PURCHASED"
    case familyShared = "FAMILY_SHARED"
    /// A seat that an organisation or a group bought (API 1.22).
    case assigned = "ASSIGNED"
}

/// Which kind of revocation it was (`revocationType`, in documents since December 2025).
package enum RevocationType: String, Hashable, Sendable, CaseIterable {
    case refundFull = "REFUND_FULL"
    case refundProrated = "REFUND_PRORATED"
    case familyRevoke = "FAMILY_REVOKE"
    /// The organisation or group took the seat away (API 1.22).
    case assignmentRevoke = "ASSIGNMENT_REVOKE"
}

/// Why it was revoked (`revocationReason`).
///
/// "Upgraded to bundle" has no published number (PROTOCOL.md 9-7), so it comes as an unknown integer.
package enum RevocationReason: Int64, Hashable, Sendable, CaseIterable {
    /// Another reason, an accidental purchase for example; also the end of family sharing.
    case other = 0
    /// An actual or perceived problem with the app.
    case problemWithApp = 1
}

/// The kind of offer used (`offerType`).
package enum OfferType: Int64, Hashable, Sendable, CaseIterable {
    case introductory = 1
    case promotional = 2
    case offerCode = 3
    case winBack = 4
}

/// How an offer is paid (`offerDiscountType`).
package enum OfferDiscountType: String, Hashable, Sendable, CaseIterable {
    case freeTrial = "FREE_TRIAL"
    case payAsYouGo = "PAY_AS_YOU_GO"
    case payUpFront = "PAY_UP_FRONT"
    case oneTime = "ONE_TIME"
}

/// Who caused the transaction: the customer, or the renewal by the system (`transactionReason`).
package enum TransactionReason: String, Hashable, Sendable, CaseIterable {
    case purchase = "PURCHASE"
    case renewal = "RENEWAL"
}

/// How a yearly product with a commitment is billed (`billingPlanType`, `renewalBillingPlanType`,
/// `commitmentRenewalBillingPlanType`).
package enum BillingPlanType: String, Hashable, Sendable, CaseIterable {
    case billedUpFront = "BILLED_UPFRONT"
    case monthly = "MONTHLY"
}
