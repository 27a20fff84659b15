/// The state of one subscription line at one instant (PROTOCOL.md section 8.3): a pure function of its facts.
package struct SubscriptionEvaluator {
    let facts: LineFacts
    let instant: Instant

    /// Apple's shortest grace period, assumed where a signed status 4 comes without a date.
    package static let assumedGraceMilliseconds: Int64 = 3 * 86_400_000
    /// How long the App Store tries to charge an expired subscription (PROTOCOL.md section 8.4).
    package static let billingRetryMilliseconds: Int64 = 60 * 86_400_000

    package init(_ facts: LineFacts, at instant: Instant) {
        self.facts = facts
        self.instant = instant
    }

    /// The state, or nil when nothing of the line has begun.
    package func state() -> SubscriptionState? {
        guard let purchase = currentPurchase() else { return stateWithoutLivePurchase() }
        let current = purchase.fact
        guard let end = periodEnd(of: current) else {
            // A subscription without an end is outside the protocol: no access is the safe reading.
            return SubscriptionState(status: .expired, purchase: purchase, periodEnd: nil)
        }
        var state = SubscriptionState(status: .expired, purchase: purchase, periodEnd: end)
        let renewal = renewal(concerning: current)
        let graceEnd = graceEnd(of: current, end: end, renewal)
        let retryEnd =
            renewal?.isInBillingRetryPeriod == true
            ? end.adding(milliseconds: Self.billingRetryMilliseconds) : nil
        if instant < end {
            state.status = .active
            state.accessUntil = end
            state.nextChangeAt = end
        } else if let grace = graceEnd, instant < grace.end {
            state.status = .billingGracePeriod
            state.accessUntil = grace.end
            state.graceEndIsAssumed = grace.isAssumed
            state.nextChangeAt = grace.end
        } else if let retryEnd, instant < retryEnd {
            state.status = .billingRetry
            state.nextChangeAt = retryEnd
        } else if let revoked = newest(where: isRevokedInItsPeriod) {
            state.status = .revoked
            state.purchase = revoked
            state.periodEnd = revoked.fact.expiresDate
            state.nextChangeAt = state.periodEnd
        }
        state.nextChangeAt = earliestChange(atOrBefore: state.nextChangeAt)
        return state
    }

    /// The newest purchase that is in force: neither revoked nor replaced by an upgrade, and begun (step 2).
    func currentPurchase() -> LineTransaction? { newest(where: { $0.isLive(at: instant) }) }

    /// The newest purchase of the line that has begun, whatever became of it: the one whose revocation is shown.
    ///
    /// nil before the first one.
    package func newestPurchase() -> LineTransaction? {
        newest(where: { $0.hasBegun(at: instant) })
    }

    private func newest(where isCandidate: (TransactionFact) -> Bool) -> LineTransaction? {
        var best: Purchase?
        for purchase in facts.purchases where isCandidate(purchase.fact) {
            if let best, !best.fact.precedes(purchase.fact) { continue }
            best = purchase
        }
        return best.map { LineTransaction(facts, $0) }
    }

    private func stateWithoutLivePurchase() -> SubscriptionState? {
        guard let newest = newestPurchase() else { return nil }
        let revoked = self.newest(where: isRevokedInItsPeriod)
        var state = SubscriptionState(
            status: revoked == nil ? .expired : .revoked,
            purchase: revoked ?? newest,
            periodEnd: (revoked ?? newest).fact.expiresDate
        )
        state.nextChangeAt = earliestChange(atOrBefore: revoked?.fact.expiresDate)
        return state
    }

    /// Whether the purchase was revoked and would otherwise cover the instant (step 7).
    ///
    /// One that an upgrade replaced would not.
    private func isRevokedInItsPeriod(_ transaction: TransactionFact) -> Bool {
        guard let end = transaction.expiresDate else { return false }
        return transaction.isRevoked(at: instant) && !transaction.isUpgraded && transaction.hasBegun(at: instant)
            && instant < end
    }

    /// The renewal info, unless it was signed before this purchase and so speaks of an earlier period.
    func renewal(concerning current: TransactionFact) -> RenewalFact? {
        guard let renewal = facts.renewal,
            renewal.rendering.signedAt >= min(current.effectivePurchaseDate, current.rendering.signedAt)
        else { return nil }
        return renewal
    }

    /// `expiresDate`, or the later date of an extension (step 3, section 8.8).
    ///
    /// The renewal info speaks of the same period when it was signed within it, for the same product, without a failed
    /// charge, and no newer purchase of the line is known: else the date is that purchase's, also when it was refunded.
    func periodEnd(of current: TransactionFact) -> Instant? {
        guard let end = current.expiresDate else { return nil }
        guard let renewal = facts.renewal, let renewalDate = renewal.renewalDate, renewalDate > end,
            renewal.rendering.signedAt > current.rendering.signedAt, renewal.rendering.signedAt < end,
            renewal.isInBillingRetryPeriod != true,
            renewal.productID == nil || renewal.productID == current.productID,
            !facts.purchases.contains(where: { current.precedes($0.fact) })
        else { return end }
        return renewalDate
    }

    /// When access ends in a grace period that follows `end`, if there is one (step 5).
    private func graceEnd(
        of current: TransactionFact,
        end: Instant,
        _ renewal: RenewalFact?
    ) -> (end: Instant, isAssumed: Bool)? {
        if let renewal, renewal.isInBillingRetryPeriod == true, let graceEnd = renewal.gracePeriodExpiresDate {
            return (graceEnd, false)
        }
        // Without a date: a signed status 4 that is newer than every fact against it.
        guard let status = facts.line.appleStatus, status.value == SubscriptionStatus.billingGracePeriod.rawValue,
            status.rank >= min(current.effectivePurchaseDate, current.rendering.signedAt)
        else { return nil }
        let contradicted =
            renewal.map { $0.isInBillingRetryPeriod != true && $0.rendering.signedAt >= status.rank } ?? false
        return contradicted ? nil : (end.adding(milliseconds: Self.assumedGraceMilliseconds), true)
    }

    /// The earliest of a change that the state itself names and of those that dates in the facts announce: a purchase
    /// that begins, a revocation that takes effect.
    private func earliestChange(atOrBefore known: Instant?) -> Instant? {
        var earliest = known.flatMap { $0 > instant ? $0 : nil }
        func note(_ change: Instant?) {
            guard let change, change > instant else { return }
            earliest = earliest.map { min($0, change) } ?? change
        }
        for purchase in facts.purchases {
            note(purchase.fact.revocationDate)
            note(purchase.fact.beginsAt)
        }
        return earliest
    }
}
