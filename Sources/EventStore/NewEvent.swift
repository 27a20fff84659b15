package import LedgerCore
package import Postgres

/// An event on its way into the log: the columns that the sender decides.
package struct NewEvent: Sendable, Hashable {
    package var kind: EventKind
    package var environment: StoreEnvironment?
    package var source: EventSource
    package var signedAt: Instant?
    /// The header segment of a signed document, still encoded.
    package var headerSegment: [UInt8]?
    package var notificationID: PostgresUUID?
    package var appAccountToken: PostgresUUID?
    package var bundleID: BundleID?
    package var notificationType: String?
    package var subtype: String?
    package var transactionID: TransactionID?
    package var originalTransactionID: OriginalTransactionID?
    package var appTransactionID: AppTransactionID?
    package var digest: DocumentDigest
    /// Of an inner document: where in the stored payload of its notification its text belongs.
    package var cutOffset: Int32?
    package var signature: [UInt8]?
    package var payload: [UInt8]
    /// The text as it came, only where the other columns would not give it back byte for byte.
    package var received: [UInt8]?

    package init(
        kind: EventKind,
        environment: StoreEnvironment?,
        source: EventSource,
        digest: DocumentDigest,
        payload: [UInt8]
    ) {
        self.kind = kind
        self.environment = environment
        self.source = source
        self.digest = digest
        self.payload = payload
    }

    /// The bytes that the event brings, for the limits of a batch.
    package var size: Int { payload.count + (received?.count ?? 0) + 256 }
}

/// What is appended whole or not at all, at neighbouring positions: one document, or a notification followed by the
/// documents inside it.
package struct AppendUnit: Sendable, Hashable {
    package var events: [NewEvent]
    /// The same unit with the inner documents' texts left in the notification's payload; used when one of them is
    /// known with another signature, so that a reference would not give the text back.
    package var uncut: [NewEvent]?

    package init(events: [NewEvent], uncut: [NewEvent]? = nil) {
        precondition(!events.isEmpty, "a unit has at least one event")
        self.events = events
        self.uncut = uncut
    }

    package var size: Int { events.reduce(0) { $0 + $1.size } }
}

/// What became of one event of a unit.
package struct Appended: Sendable, Hashable {
    /// What the append did with it.
    package enum Outcome: Int16, Sendable, Hashable, CaseIterable {
        case recorded = 1
        /// The event at the position had it already.
        case duplicate = 2
        /// A notification that reuses an identity with other content; recorded as a conflict.
        case conflict = 3
        /// The same conflict, known before.
        case knownConflict = 4
    }

    package var position: Position
    package var outcome: Outcome

    package init(position: Position, outcome: Outcome) {
        self.position = position
        self.outcome = outcome
    }
}
