/// What a customer may use at an instant, and why (API.md, "Asking").
package struct EntitlementSet: Sendable, Hashable {
    package var entitlements: [Entitlement] = []
    package var subscriptions: [Subscription] = []
    package var balances: [Balance] = []
    package var consentRescinded = false
    /// When time alone changes the answer next; nil: never.
    package var nextChangeAt: Instant?

    package init() {}
}

/// One line that grants one entitlement.
package struct Entitlement: Sendable, Hashable {
    /// The catalog's name, or the productId.
    package var name: String
    package var purchase: LineTransaction
    package var status: SubscriptionStatus
    /// nil: without an end.
    package var accessUntil: Instant?
    package var level: Int64?
    /// Whether it is the best row of its entitlement: lowest level, then latest end.
    package var isEffective = false

    /// What is known of ``purchase``.
    package var transaction: TransactionFact { purchase.fact }
}

/// One subscription line, with or without access.
package struct Subscription: Sendable, Hashable {
    package var state: SubscriptionState
    /// The newest purchase: the one whose revocation is shown.
    package var newestPurchase: LineTransaction
    /// Whether Apple's last signed status agrees with ours at its signing; nil when Apple named none.
    package var agreesWithApple: Bool?
    package var instant: Instant

    /// The facts of the line.
    package var facts: LineFacts { newestPurchase.facts }
    /// What is known of ``newestPurchase``.
    package var newest: TransactionFact { newestPurchase.fact }
}

/// A consumable's account in one unit.
package struct Balance: Sendable, Hashable {
    package var unit: String
    package var granted: Int64 = 0
    package var clawedBack: Int64 = 0
    package var used: Int64 = 0
    /// What could not be taken back because it was used: a part of what is clawed back.
    package var owed: Int64 = 0

    /// What the customer has left, never less than nothing: what could not be taken back is not missing from it.
    package var net: Int64 {
        Int64(clamping: max(0, Int128(granted) - Int128(clawedBack) - Int128(used) + Int128(owed)))
    }
}
