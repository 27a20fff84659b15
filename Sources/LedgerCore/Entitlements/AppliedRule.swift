/// One step of an evaluation, with what it found (PROTOCOL.md section 8.3).
package enum AppliedRule: Sendable, Hashable {
    /// Of the purchases in force the newest one counts (step 2).
    case newestPurchase(TransactionID, bought: Instant)
    /// Some were bought, none is in force (step 2).
    case noPurchaseInForce
    /// The first purchase has not happened yet (step 2).
    case notBegun
    /// The App Store moved the end of the period (step 3).
    case extended(from: Instant, to: Instant)
    /// The subscription has no end, which the protocol does not know.
    case withoutEnd
    /// The paid period has not ended (step 4).
    case withinPeriod(until: Instant)
    /// The charge failed, and a grace period runs (step 5).
    case withinGrace(until: Instant, isAssumed: Bool)
    /// The charge failed, and the App Store tries again (step 6).
    case billingRetry
    /// A purchase that would cover the instant was taken back (step 7).
    case revoked(TransactionID, since: Instant?)
    /// Nothing covers the instant (step 8).
    case expired(at: Instant?)
    /// Apple's last signed status, compared with ours at its signing.
    case appleStatus(Int64, agrees: Bool)
    /// A non-consumable lasts.
    case boughtForGood(TransactionID)
    /// A non-renewing subscription, by the catalog's duration.
    case nonRenewing(TransactionID, until: Instant?, isOver: Bool)
    /// A consumable adds to a balance.
    case unitsGranted(TransactionID, units: Int64, unit: String)
    /// A refund takes units back.
    case unitsTakenBack(TransactionID, units: Int64, unit: String)
    /// Services reported units as used.
    case unitsUsed(TransactionID, units: Int64, unit: String)
    /// Units that are taken back were used.
    case unitsOwed(TransactionID, units: Int64, unit: String)
    /// The catalog's name for what the product grants.
    case named(String, level: Int64?)
}
