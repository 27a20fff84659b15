/// A parent or guardian withdrew consent for a customer to use the app (RESCIND_CONSENT).
package struct RescindedConsent: Hashable, Sendable {
    package var appTransactionID: AppTransactionID
    /// The earliest signing time of a notification that says so.
    package var rescindedAt: Instant

    package init(appTransactionID: AppTransactionID, rescindedAt: Instant) {
        self.appTransactionID = appTransactionID
        self.rescindedAt = rescindedAt
    }

    package mutating func merge(_ other: RescindedConsent) { rescindedAt = min(rescindedAt, other.rescindedAt) }
}
