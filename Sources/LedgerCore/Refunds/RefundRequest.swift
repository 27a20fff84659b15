/// A customer's request for a refund, as the App Store told of it (`CONSUMPTION_REQUEST`, PROTOCOL.md section 4.5).
///
/// It changes no state (PROTOCOL.md section 8.5): what became of it is read from later documents.
package struct RefundRequest: Hashable, Sendable {
    /// For how long the App Store takes an answer: 12 hours, in milliseconds.
    package static let answerTime: Int64 = 12 * 3_600_000

    /// The event of the notification.
    package var position: Position
    /// When that was recorded.
    package var recordedAt: Instant
    /// The notification.
    package var notificationID: NotificationID?
    /// When the notification was signed.
    package var requestedAt: Instant
    /// Why the customer asks; absent before 2024.
    package var reason: Open<ConsumptionRequestReason>?
    /// The app.
    package var bundleID: BundleID?
    /// The transaction that the money is asked back for; nil when the notification names none.
    package var transactionID: TransactionID?
    /// Its line.
    package var originalTransactionID: OriginalTransactionID?
    /// The customer.
    package var appTransactionID: AppTransactionID?
    /// The developer's account link.
    package var appAccountToken: AppAccountToken?

    /// The request that an event records; nil for any other event.
    package init?(_ event: LedgerEvent) {
        guard event.kind == .notification, let requestedAt = event.signedAt,
            event.notificationType == NotificationType.consumptionRequest.rawValue
        else { return nil }
        position = event.position
        recordedAt = event.recordedAt
        notificationID = event.notificationID
        self.requestedAt = requestedAt
        reason = (try? NotificationDocument(payload: event.payload))?.data?.consumptionRequestReason
        bundleID = event.bundleID
        transactionID = event.transactionID
        originalTransactionID = event.originalTransactionID
        appTransactionID = event.appTransactionID
        appAccountToken = event.appAccountToken
    }

    /// Until when the App Store takes an answer.
    package var deadline: Instant { requestedAt.adding(milliseconds: Self.answerTime) }
}
