import EventStore
import JWS
import LedgerCore

/// One event with everything that is recorded of it: its columns, the payload, the signed document and its leaf hash.
struct EventDetail {
    private let stored: StoredEvent
    private let payload: [UInt8]
    /// The signed document exactly as it was received.
    private let jws: [UInt8]?

    /// Reads what the event refers to.
    /// - Throws: ``LogCorruption`` when that is not there; ``EventStoreError``.
    init(_ stored: StoredEvent, _ reader: EventReader) throws {
        self.stored = stored
        payload = try reader.wholePayload(of: stored)
        jws = try reader.receivedText(of: stored)
    }

    /// The leaf of the event in the Merkle tree (``CanonicalRecord``), 32 bytes.
    private var leafHash: [UInt8] {
        let content: CanonicalRecord.Content =
            if let jws {
                .signedDocument(sha256: SHA256Digest.of(jws))
            } else {
                .payload(sha256: SHA256Digest.of(payload))
            }
        return SHA256Digest.of(CanonicalRecord.leafInput(of: stored.event, content))
    }

    /// The members of the feed's item and, besides: `appAccountToken`, `digest` (the first 16 bytes of the payload's
    /// SHA-256, hexadecimal), `documents` (positions of the documents inside it that are events of their own),
    /// `payload` (as it was signed), `jws`, and `leafHash` in base64.
    var json: JSONWriter {
        let event = stored.event
        var json = JSONWriter(reservingCapacity: 2048 + 2 * payload.count)
        json.beginObject()
        FeedEvent(event).writeMembers(to: &json)
        json.member("appAccountToken", event.appAccountToken)
        json.member("digest", event.digest.bytes.hexadecimal)
        json.name("documents")
        json.beginArray()
        for position in stored.innerPositions { json.integer(position.rawValue) }
        json.endArray()
        json.name("payload")
        // What is no JSON would break the answer; the signed document holds it all the same.
        if (try? JSONReader.value(of: payload)) == nil { json.null() } else { json.raw(payload) }
        json.member("jws", jws.map { String(decoding: $0, as: UTF8.self) })
        json.member("leafHash", String(decoding: Base64.encode(leafHash, .standard), as: UTF8.self))
        json.endObject()
        return json
    }
}
