/// How long a revocation stayed unnoticed, and how long access outlived it (API.md "Finance").
package struct RevocationDetection: Hashable, Sendable {
    /// Who told us first.
    package var detectedBy: EventSource
    /// Whole seconds from when it happened until it was recorded; 0 where our clock ran behind.
    package var lagSeconds: Int64
    /// When the ledger's answers stopped granting access: at the revocation or, when that became known later, at its
    /// recording, but never after the end of the purchase itself.
    ///
    /// Nil where this entry ended no access: a reversal, a further refund, a consumable, a purchase replaced by an
    /// upgrade.
    package var accessEndedAt: Instant?
    /// Whole seconds from the revocation to ``accessEndedAt``; nil where that is nil.
    package var leakageSeconds: Int64?

    /// What an entry tells of its detection.
    /// - Parameters:
    ///   - entry: any entry.
    ///   - catalog: tells when a non-renewing subscription ends.
    package init(_ entry: RegisterEntry, catalog: Catalog) {
        let recordedAt = entry.discovery.recordedAt
        detectedBy = entry.discovery.source
        lagSeconds = entry.happenedAt.wholeSeconds(until: recordedAt)
        guard entry.endsAccess, let revokedAt = entry.statement.revocationDate,
            entry.subject.type?.known != .consumable, !entry.subject.isUpgraded
        else { return }
        let noticedAt = max(revokedAt, recordedAt)
        let end = entry.subject.naturalEnd(catalog).map { min($0, noticedAt) } ?? noticedAt
        accessEndedAt = end
        leakageSeconds = revokedAt.wholeSeconds(until: end)
    }
}

extension RegisterSubject {
    /// When access ends by itself; nil: never.
    fileprivate func naturalEnd(_ catalog: Catalog) -> Instant? {
        guard type?.known == .nonRenewingSubscription else { return expiresDate }
        guard let productID, let purchaseDate else { return nil }
        return catalog.entry(for: productID).duration?.added(to: purchaseDate)
    }
}

extension Instant {
    /// Whole seconds from here to a later instant; 0 to an earlier one.
    fileprivate func wholeSeconds(until later: Instant) -> Int64 {
        max(0, Int64(clamping: (Int128(later.milliseconds) - Int128(milliseconds)) / 1000))
    }
}
