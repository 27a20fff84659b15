// The enumerations of Advanced Commerce details (PROTOCOL.md section 2.10), each used as `Open<…>`.

/// Why an offer was made for an item (`offer.reason`).
package enum AdvancedCommerceOfferReason: String, Hashable, Sendable, CaseIterable {
    case acquisition = "ACQUISITION"
    case winBack = "WIN_BACK"
    case retention = "RETENTION"
}

/// How much of an item was refunded (`refunds[].refundType`).
package enum AdvancedCommerceRefundType: String, Hashable, Sendable, CaseIterable {
    case full = "FULL"
    case prorated = "PRORATED"
    case custom = "CUSTOM"
}

/// Why an item was refunded (`refunds[].refundReason`).
package enum AdvancedCommerceRefundReason: String, Hashable, Sendable, CaseIterable {
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    case unsatisfiedWithPurchase = "UNSATISFIED_WITH_PURCHASE"
    case legal = "LEGAL"
    case other = "OTHER"
    case modifyItemsRefund = "MODIFY_ITEMS_REFUND"
    /// Only in tests of a declined refund.
    case simulateRefundDecline = "SIMULATE_REFUND_DECLINE"
}

/// How far the price increase of an item is (`priceIncreaseInfo.status`).
package enum AdvancedCommercePriceIncreaseStatus: String, Hashable, Sendable, CaseIterable {
    case scheduled = "SCHEDULED"
    case pending = "PENDING"
    case accepted = "ACCEPTED"
}
