/// The one text of an event that its leaf in the Merkle tree commits to (DESIGN.md section 4, "Sealing").
///
/// It is RFC 8785 JSON (members in the order of their names, no white space, shortest escapes) with exactly these
/// members, each as the API's feed shows it and null where the event has none:
///
/// | member | value |
/// |---|---|
/// | `appAccountToken` | text, lower case |
/// | `appTransactionId`, `bundleId` | text |
/// | `causedBy` | number: the position of the notification it came with |
/// | `environment` | `Production` or `Sandbox` |
/// | `jwsSha256` | of a signed document: SHA-256 of its compact JWS as it was received, 64 hexadecimal digits, lower case |
/// | `kind` | text |
/// | `notificationType` | text |
/// | `notificationUUID` | text, lower case |
/// | `originalTransactionId` | text |
/// | `payloadSha256` | of an event that is no signed document: SHA-256 of its payload, as `jwsSha256` |
/// | `position` | number |
/// | `recordedAt`, `signedDate` | text, RFC 3339 in UTC with milliseconds |
/// | `source`, `subtype`, `transactionId` | text |
///
/// Exactly one of `jwsSha256` and `payloadSha256` is null. How a row is stored (header segments, cut payloads, the
/// digest that is its identity) is not in it: storing the same event in another way must not change its leaf. A change
/// of the members or of their form would change every leaf, and breaks every proof given out.
package enum CanonicalRecord {
    /// What the event records, by its SHA-256 (32 bytes).
    package enum Content: Sendable, Hashable {
        /// A signed document; the digest is that of the compact JWS as it was received.
        case signedDocument(sha256: [UInt8])
        /// Something else; the digest is that of the payload.
        case payload(sha256: [UInt8])
    }

    /// The record's bytes, UTF-8.
    package static func json(of event: LedgerEvent, _ content: Content) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 768)
        json.beginObject()
        json.member("appAccountToken", event.appAccountToken)
        json.member("appTransactionId", event.appTransactionID)
        json.member("bundleId", event.bundleID)
        json.member("causedBy", event.causedBy?.rawValue)
        json.member("environment", event.environment?.rawValue)
        json.member("jwsSha256", content.signedDocumentHex)
        json.name("kind")
        json.literal(event.kind.name)
        json.member("notificationType", event.notificationType)
        json.member("notificationUUID", event.notificationID)
        json.member("originalTransactionId", event.originalTransactionID)
        json.member("payloadSha256", content.payloadHex)
        json.member("position", event.position)
        json.member("recordedAt", event.recordedAt)
        json.member("signedDate", event.signedAt)
        json.name("source")
        json.literal(event.source.name)
        json.member("subtype", event.subtype)
        json.member("transactionId", event.transactionID)
        json.endObject()
        return json.bytes
    }

    /// What is hashed to the event's leaf: a zero byte, which no inner node begins with, and the record (RFC 9162
    /// section 2.1.1).
    package static func leafInput(of event: LedgerEvent, _ content: Content) -> [UInt8] {
        [0x00] + json(of: event, content)
    }
}

extension CanonicalRecord.Content {
    fileprivate var signedDocumentHex: String? {
        if case .signedDocument(let digest) = self { digest.hexadecimal } else { nil }
    }

    fileprivate var payloadHex: String? {
        if case .payload(let digest) = self { digest.hexadecimal } else { nil }
    }
}
