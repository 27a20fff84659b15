/// One entry of the log, as projections read it: the key columns and the payload.
///
/// A notification's payload is as stored, without the texts of inner documents that are events of their own; it is
/// JSON all the same, because only text between two quotation marks was taken out.
package struct LedgerEvent: Sendable {
    package var position: Position
    package var kind: EventKind
    /// nil where an event is about no environment (a catalog).
    package var environment: StoreEnvironment?
    package var source: EventSource
    package var recordedAt: Instant
    package var signedAt: Instant?
    /// The notification that this document came with.
    package var causedBy: Position?
    package var notificationID: NotificationID?
    package var notificationType: String?
    package var subtype: String?
    package var bundleID: BundleID?
    package var transactionID: TransactionID?
    package var originalTransactionID: OriginalTransactionID?
    package var appTransactionID: AppTransactionID?
    package var appAccountToken: AppAccountToken?
    package var digest: DocumentDigest
    package var payload: [UInt8]

    package init(
        position: Position,
        kind: EventKind,
        environment: StoreEnvironment?,
        source: EventSource,
        recordedAt: Instant,
        digest: DocumentDigest,
        payload: [UInt8]
    ) {
        self.position = position
        self.kind = kind
        self.environment = environment
        self.source = source
        self.recordedAt = recordedAt
        self.digest = digest
        self.payload = payload
    }
}
