import LedgerCore

/// The state of a subscription line at an instant: the numbered steps of PROTOCOL.md 8.3, one after the other.
struct NaiveSubscription {
    static let assumedGrace: Int64 = 3 * 86_400_000
    static let retry: Int64 = 60 * 86_400_000

    let line: NaiveLine
    let time: Int64
    private(set) var status: Int64 = 2
    /// The purchase that the state is about.
    private(set) var subject: NaivePurchase
    /// When its paid period ends.
    private(set) var end: Int64?
    private(set) var accessUntil: Int64?
    /// The newest purchase that has begun, live or not.
    let newest: NaivePurchase

    /// nil before the first purchase.
    init?(_ line: NaiveLine, _ time: Int64) {
        self.line = line
        self.time = time
        let purchases = line.purchases.filter { $0.type == "Auto-Renewable Subscription" }
        guard let newest = purchases.filter({ $0.hasBegun(time) }).max(by: NaivePurchase.isOlder) else { return nil }
        self.newest = newest
        subject = newest
        end = newest.expires
        judge(purchases)
    }

    private mutating func judge(_ purchases: [NaivePurchase]) {
        if let current = purchases.filter({ $0.isLive(time) }).max(by: NaivePurchase.isOlder) {
            subject = current
            end = current.expires
            guard let expires = current.expires else { return }
            // Step 3: an extension of this very period.
            let isLast = !purchases.contains { NaivePurchase.isOlder(current, $0) }
            let paidUntil = max(expires, isLast ? extended(current, expires) ?? expires : expires)
            end = paidUntil
            // Steps 4 to 6.
            if time < paidUntil { return settle(1, until: paidUntil) }
            let grace = graceEnd(current, paidUntil)
            if let grace, time < grace { return settle(4, until: grace) }
            if isInRetry(current), time < paidUntil + Self.retry { return settle(3, until: nil) }
        }
        // Steps 7 and 8.
        let revoked = purchases.filter {
            $0.hasBegun(time) && $0.isRevoked(time) && !$0.isUpgraded && time < $0.expires ?? .min
        }
        guard let last = revoked.max(by: NaivePurchase.isOlder) else { return }
        subject = last
        end = last.expires
        settle(5, until: nil)
    }

    private mutating func settle(_ status: Int64, until: Int64?) {
        self.status = status
        accessUntil = until
    }

    /// The renewal date, where the renewal info was signed after the transaction, within the period, about the same
    /// product, and no charge had failed.
    private func extended(_ current: NaivePurchase, _ expires: Int64) -> Int64? {
        guard let renewal = line.renewal, renewal.signed > current.document.signed, renewal.signed < expires,
            !renewal.isTrue("isInBillingRetryPeriod"), [nil, current.product].contains(renewal.text("productId"))
        else { return nil }
        return renewal.integer("renewalDate")
    }

    /// Whether something that was signed then can speak of this purchase.
    private func concerns(_ current: NaivePurchase, _ signed: Int64) -> Bool {
        signed >= min(current.purchased, current.document.signed)
    }

    private func isInRetry(_ current: NaivePurchase) -> Bool {
        line.renewal.map { concerns(current, $0.signed) && $0.isTrue("isInBillingRetryPeriod") } ?? false
    }

    private func graceEnd(_ current: NaivePurchase, _ paidUntil: Int64) -> Int64? {
        if isInRetry(current), let stated = line.renewal?.integer("gracePeriodExpiresDate") { return stated }
        guard let status = line.status, status.value == 4, concerns(current, status.signed) else { return nil }
        if let renewal = line.renewal, concerns(current, renewal.signed), !isInRetry(current),
            renewal.signed >= status.signed
        {
            return nil
        }
        return paidUntil + Self.assumedGrace
    }

    /// The row of the answer (API.md, "Entitlement set").
    var row: JSONValue {
        let names = [1: "active", 2: "expired", 3: "billingRetry", 4: "gracePeriod", 5: "revoked"]
        let renewal = line.renewal
        let apple = line.status.map { apple in
            JSONValue.members([
                "status": .integer(apple.value), "signedDate": .time(apple.signed),
                "agrees": .boolean(NaiveSubscription(line, min(apple.signed, time))?.status == apple.value),
            ])
        }
        return .members([
            "originalTransactionId": .string(line.id),
            "subscriptionGroupIdentifier": subject.document.shown("subscriptionGroupIdentifier"),
            "productId": subject.document.shown("productId"), "transactionId": .string(subject.id),
            "status": .integer(status), "state": .text(names[Int(status)]), "expiresDate": .time(end),
            "gracePeriodExpiresDate": renewal?.shownTime("gracePeriodExpiresDate") ?? .null,
            "expirationIntent": renewal?.shown("expirationIntent") ?? .null,
            "autoRenewStatus": renewal?.shown("autoRenewStatus") ?? .null,
            "autoRenewProductId": renewal?.shown("autoRenewProductId") ?? .null,
            "priceIncreaseStatus": renewal?.shown("priceIncreaseStatus") ?? .null,
            "isInBillingRetryPeriod": .boolean(renewal?.isTrue("isInBillingRetryPeriod") ?? false),
            "inAppOwnershipType": subject.document.shown("inAppOwnershipType"),
            "revocation": newest.revocation(time), "appleStatus": apple ?? .null,
        ])
    }
}
