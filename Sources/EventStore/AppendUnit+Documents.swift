package import LedgerCore
import Postgres

extension AppendUnit {
    /// A posted document: a unit of its own.
    package init(_ document: VerifiedDocument, source: EventSource) {
        self.init(events: [NewEvent(document, source: source)])
    }

    /// A notification and the documents inside it.
    ///
    /// The texts of the inner documents are taken out of the payload, because each is an event of its own; what is
    /// stored gives the received text back byte for byte, and where it would not, the payload stays whole.
    package init(_ verified: VerifiedNotification, source: EventSource) {
        var whole = NewEvent(verified.notification, source: source)
        let inner = verified.inner.map { NewEvent($0, source: source) }
        whole.takeKeys(from: inner)
        let uncut = [whole] + inner
        guard let cut = Cut(verified), whole.received == nil, inner.allSatisfy({ $0.received == nil }) else {
            self.init(events: uncut)
            return
        }
        whole.payload = cut.payload
        let referred = zip(inner, cut.offsets).map { event, offset in
            var event = event
            event.cutOffset = offset
            return event
        }
        self.init(events: [whole] + referred, uncut: uncut)
    }
}

/// A notification's payload without the texts of its inner documents.
private struct Cut {
    var payload: [UInt8] = []
    /// Where each text belongs, in the order of the inner documents.
    var offsets: [Int32] = []

    /// nil when a text cannot be found where the payload says it is (escaped, for example).
    init?(_ verified: VerifiedNotification) {
        let whole = verified.notification.payload
        let places = verified.notification.claims.notification?.inner ?? []
        var copied = 0
        var documents = verified.inner[...]
        for place in places {
            guard let document = documents.first, document.jws.isEqual(to: place.text) else { continue }
            documents.removeFirst()
            guard place.range.lowerBound >= copied, place.range.upperBound <= whole.count,
                whole[place.range].isEqual(to: document.jws[...])
            else { return nil }
            payload += whole[copied..<place.range.lowerBound]
            offsets.append(Int32(payload.count))
            copied = place.range.upperBound
        }
        guard documents.isEmpty else { return nil }
        payload += whole[copied...]
    }
}

extension NewEvent {
    init(_ document: VerifiedDocument, source: EventSource) {
        let claims = document.claims
        self.init(
            kind: EventKind(document.kind),
            environment: document.environment,
            source: source,
            digest: document.digest,
            payload: document.payload
        )
        signedAt = claims.signedAt
        headerSegment = Array(document.headerSegment)
        signature = document.signature
        bundleID = claims.bundleID
        notificationID = claims.notification?.id.flatMap { PostgresUUID(text: $0.rawValue) }
        notificationType = claims.notification?.type.flatMap(Self.storable)
        subtype = claims.notification?.subtype.flatMap(Self.storable)
        transactionID = claims.transactionID.flatMap(Self.storable)
        originalTransactionID = claims.originalTransactionID.flatMap(Self.storable)
        appTransactionID = claims.appTransactionID.flatMap(Self.storable)
        appAccountToken = claims.appAccountToken.flatMap { PostgresUUID(text: $0.rawValue) }
        let canonical = CompactText.join(
            header: document.headerSegment,
            payload: document.payload,
            signature: document.signature
        )
        if !canonical.isEqual(to: document.jws) { received = document.jws }
    }

    /// A notification is found by the keys of the documents inside it.
    fileprivate mutating func takeKeys(from inner: [NewEvent]) {
        for document in inner {
            transactionID = transactionID ?? document.transactionID
            originalTransactionID = originalTransactionID ?? document.originalTransactionID
            appTransactionID = appTransactionID ?? document.appTransactionID
            appAccountToken = appAccountToken ?? document.appAccountToken
        }
    }

    /// A key as a column and its indexes can hold it, else nil: the payload has it all the same.
    ///
    /// PostgreSQL has no text with U+0000, and an index takes no entry past 2.7 kB.
    private static func storable(_ text: String) -> String? {
        text.utf8.count <= TransactionID.bytesMax && !text.utf8.contains(0) ? text : nil
    }

    private static func storable<ID: TextIdentifier>(_ id: ID) -> ID? { storable(id.rawValue) == nil ? nil : id }
}
