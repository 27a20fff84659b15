extension SubscriptionStatus {
    /// The name of the state in answers (API.md, "Asking").
    package var stateName: StaticString {
        switch self {
        case .active: "active"
        case .expired: "expired"
        case .billingRetry: "billingRetry"
        case .billingGracePeriod: "gracePeriod"
        case .revoked: "revoked"
        }
    }

    /// Whether the customer may use the product in this state.
    package var grantsAccess: Bool { self == .active || self == .billingGracePeriod }
}

/// The state of a subscription line at an instant, and what it follows from.
package struct SubscriptionState: Sendable, Hashable {
    package var status: SubscriptionStatus
    /// The purchase that the state speaks of: the current one, or the newest where none is live.
    package var purchase: LineTransaction
    /// When the paid period of ``purchase`` ends, an extension included.
    package var periodEnd: Instant?
    /// Until when the customer has access, nil in a state without access.
    package var accessUntil: Instant?
    /// Whether the grace period has no date and its end is our assumption (PROTOCOL.md 8.3 step 5).
    package var graceEndIsAssumed = false
    /// When time alone changes the state next.
    package var nextChangeAt: Instant?

    package init(status: SubscriptionStatus, purchase: LineTransaction, periodEnd: Instant?) {
        self.status = status
        self.purchase = purchase
        self.periodEnd = periodEnd
    }

    /// What is known of ``purchase``.
    package var transaction: TransactionFact { purchase.fact }
}
