import LedgerCore

/// The JSON payload of a document under test: members by name, written in the order of their names.
package struct Payload: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The value of one member.
    package enum Value: Hashable, Sendable {
        case text(String)
        case integer(Int64)
        case boolean(Bool)
        case object(Payload)
        /// JSON text as it shall stand in the payload.
        case json(String)
    }

    package private(set) var members: [String: Value]

    package init(dictionaryLiteral elements: (String, Value)...) {
        members = Dictionary(elements) { _, last in last }
    }

    /// A member; nil for one that is absent.
    package subscript(name: String) -> Value? {
        get { members[name] }
        set { members[name] = newValue }
    }

    /// The same payload with other members; a nil takes a member away.
    package func with(_ changes: [String: Value?]) -> Payload {
        var changed = self
        for (name, value) in changes { changed[name] = value }
        return changed
    }

    /// The JSON text.
    package var bytes: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    private func write(to json: inout JSONWriter) {
        json.beginObject()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            json.name(escaping: name)
            switch value {
            case .text(let text): json.string(text)
            case .integer(let integer): json.integer(integer)
            case .boolean(let boolean): json.boolean(boolean)
            case .object(let object): object.write(to: &json)
            case .json(let text): json.raw(text.utf8)
            }
        }
        json.endObject()
    }
}

extension Payload.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension Payload {
    /// The signing time of the samples: 2026-02-02, UTC.
    package static let sampleSignedDate: Int64 = 1_770_000_000_000

    /// A transaction of the sample app, in Production.
    package static func transaction(_ id: String, line: String? = nil, _ changes: [String: Value?] = [:]) -> Payload {
        let payload: Payload = [
            "transactionId": .text(id), "originalTransactionId": .text(line ?? id), "bundleId": "com.example.app",
            "productId": "com.example.pro.monthly", "type": "Auto-Renewable Subscription",
            "inAppOwnershipType": "PURCHASED", "transactionReason": "PURCHASE", "environment": "Production",
            "purchaseDate": .integer(sampleSignedDate - 2000),
            "expiresDate": .integer(sampleSignedDate + 2_592_000_000),
            "signedDate": .integer(sampleSignedDate), "price": 9990, "currency": "USD",
        ]
        return payload.with(changes)
    }

    /// A renewal info, in Production.
    package static func renewalInfo(line: String, _ changes: [String: Value?] = [:]) -> Payload {
        let payload: Payload = [
            "originalTransactionId": .text(line), "productId": "com.example.pro.monthly",
            "autoRenewProductId": "com.example.pro.monthly", "autoRenewStatus": 1, "environment": "Production",
            "signedDate": .integer(sampleSignedDate),
        ]
        return payload.with(changes)
    }

    /// An app transaction of the sample app, in Production.
    package static func appTransaction(_ id: String, _ changes: [String: Value?] = [:]) -> Payload {
        let payload: Payload = [
            "appTransactionId": .text(id), "bundleId": "com.example.app", "appAppleId": 1_234_567_890,
            "receiptType": "Production", "receiptCreationDate": .integer(sampleSignedDate),
        ]
        return payload.with(changes)
    }

    /// A notification of the sample app, in Production, whose `data` (or `appData`) has these members besides.
    package static func notification(
        _ id: String,
        part: String = "data",
        _ members: [String: Value?] = [:],
        _ changes: [String: Value?] = [:]
    ) -> Payload {
        let app: Payload = [
            "bundleId": "com.example.app", "appAppleId": 1_234_567_890, "environment": "Production",
        ]
        let payload: Payload = [
            "notificationType": "DID_RENEW", "notificationUUID": .text(id), "version": "2.0",
            "signedDate": .integer(sampleSignedDate + 1000), part: .object(app.with(members)),
        ]
        return payload.with(changes)
    }
}
