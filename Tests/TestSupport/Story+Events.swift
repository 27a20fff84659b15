import JWS
package import LedgerCore

extension Story {
    /// The story as the log would hold it, recorded in the order of its steps and without duplicates; nothing is signed.
    package var events: [LedgerEvent] {
        var log = UnsignedLog()
        for step in steps {
            switch step {
            case .document(let document): log.append(document, causedBy: nil)
            case .notification(let notification, let inner):
                let position = log.append(notification, causedBy: nil, inner)
                for document in inner { log.append(document, causedBy: position) }
            }
        }
        return log.events
    }
}

extension DocumentDigest {
    /// The digest of a payload that nobody has signed.
    package init(testPayload: [UInt8]) {
        guard let digest = DocumentDigest(SHA256Digest.of(testPayload)) else {
            preconditionFailure("SHA-256 has more than \(DocumentDigest.size) bytes")
        }
        self = digest
    }
}

private struct UnsignedLog {
    var events: [LedgerEvent] = []
    private var known: [Story.Document: Position] = [:]

    @discardableResult
    mutating func append(
        _ document: Story.Document,
        causedBy: Position?,
        _ inner: [Story.Document] = []
    ) -> Position {
        if let position = known[document] { return position }
        let position = Position(Int64(events.count + 1))
        known[document] = position
        let payload = document.payload.bytes
        var event = LedgerEvent(
            position: position,
            kind: EventKind(document.kind),
            environment: document.environment,
            source: .device,
            recordedAt: Instant(milliseconds: position.rawValue),
            digest: DocumentDigest(testPayload: payload),
            payload: payload
        )
        event.causedBy = causedBy
        let claims = try? ClaimsReader(payload, as: document.kind).claims
        event.signedAt = claims?.signedAt
        event.notificationType = claims?.notification?.type
        event.transactionID = claims?.transactionID
        event.originalTransactionID = claims?.originalTransactionID
        event.appTransactionID = claims?.appTransactionID
        // As in the log, a notification carries the keys of what is inside it.
        for document in inner {
            let claims = try? ClaimsReader(document.payload.bytes, as: document.kind).claims
            event.originalTransactionID = event.originalTransactionID ?? claims?.originalTransactionID
            event.appTransactionID = event.appTransactionID ?? claims?.appTransactionID
        }
        events.append(event)
        return position
    }
}
