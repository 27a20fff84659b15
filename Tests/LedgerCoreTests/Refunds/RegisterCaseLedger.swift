import LedgerCore
import TestSupport

/// The transactions and renewal infos of a case's steps as the log would hold them: each once, in order of arrival.
///
/// Nothing is signed, so a step whose signature is spoiled is left out.
struct RegisterCaseLedger {
    private(set) var events: [LedgerEvent] = []
    private var digests: Set<DocumentDigest> = []

    init(_ steps: [JSONValue]) { for step in steps where step.members?["tamper"] == nil { collect(step, at: nil) } }

    private mutating func collect(_ value: JSONValue, at receivedAt: Instant?) {
        guard let members = value.members else {
            for element in value.elements ?? [] { collect(element, at: receivedAt) }
            return
        }
        let receivedAt = members["receivedAt"]?.number.map(Instant.init(milliseconds:)) ?? receivedAt
        if members["signedDate"] != nil, members["transactionId"] != nil {
            append(.transaction, value, members, receivedAt)
        } else if members["signedDate"] != nil, members["autoRenewStatus"] != nil {
            append(.renewalInfo, value, members, receivedAt)
        } else {
            for name in members.keys.sorted() { members[name].map { collect($0, at: receivedAt) } }
        }
    }

    private mutating func append(
        _ kind: EventKind,
        _ document: JSONValue,
        _ members: [String: JSONValue],
        _ receivedAt: Instant?
    ) {
        let payload = document.bytes
        let digest = DocumentDigest(testPayload: payload)
        guard digests.insert(digest).inserted else { return }
        var event = LedgerEvent(
            position: Position(Int64(events.count + 1)),
            kind: kind,
            environment: members["environment"]?.text.flatMap(StoreEnvironment.init),
            source: .notification,
            recordedAt: receivedAt ?? Instant(milliseconds: 0),
            digest: digest,
            payload: payload
        )
        event.signedAt = members["signedDate"]?.number.map(Instant.init(milliseconds:))
        event.transactionID = members["transactionId"]?.text.map(TransactionID.init)
        events.append(event)
    }
}

extension JSONValue {
    /// An integer.
    var number: Int64? { if case .integer(let integer) = self { integer } else { nil } }
}
