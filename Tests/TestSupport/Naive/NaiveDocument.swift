package import LedgerCore

/// A document of the log as the naive replay sees it: the decoded payload, and what only the log knows of it.
package struct NaiveDocument: Sendable {
    package var kind: EventKind
    package var environment: StoreEnvironment
    package var position: Position
    package var recordedAt: Instant
    /// Milliseconds since 1970.
    package var signed: Int64
    /// Decides between renderings that PROTOCOL.md holds for equal.
    package var digest: DocumentDigest
    /// The keys that the log found inside a notification.
    package var lineInside: String?
    package var customerInside: String?
    package var payload: JSONObject

    /// nil for an event that is no document of the App Store, or one without a signing time.
    package init?(_ event: LedgerEvent) {
        guard let environment = event.environment, case .object(let payload) = try? JSONReader.value(of: event.payload)
        else { return nil }
        let time = payload.integer(event.kind == .appTransaction ? "receiptCreationDate" : "signedDate")
        guard let time else { return nil }
        kind = event.kind
        self.environment = environment
        position = event.position
        recordedAt = event.recordedAt
        signed = time
        digest = event.digest
        lineInside = event.originalTransactionID?.rawValue
        customerInside = event.appTransactionID?.rawValue
        self.payload = payload
    }

    /// The line it is about: its own, or that of what is inside.
    var line: String? { isNotification ? lineInside : text("originalTransactionId") }
    var isNotification: Bool { kind == .notification || kind == .conflict }
    /// Compared in lower case (API.md, "Identifiers").
    var token: String? { text("appAccountToken")?.lowercased() }

    func text(_ name: String) -> String? { payload.text(name) }
    func integer(_ name: String) -> Int64? { payload.integer(name) }
    func isTrue(_ name: String) -> Bool { payload[name] == .boolean(true) }
    /// A member as an answer shows it: as it came, or null.
    func shown(_ name: String) -> JSONValue { payload[name] ?? .null }
    /// A time as an answer shows it, or null.
    func shownTime(_ name: String) -> JSONValue { .time(integer(name)) }
}

extension JSONObject {
    func text(_ name: String) -> String? { if case .string(let text)? = self[name] { text } else { nil } }
    func integer(_ name: String) -> Int64? { if case .integer(let integer)? = self[name] { integer } else { nil } }
}

extension JSONValue {
    static func time(_ milliseconds: Int64?) -> JSONValue {
        milliseconds.map { .string(Instant(milliseconds: $0).description) } ?? .null
    }

    static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    static func members(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var object = JSONObject()
        for (name, value) in members { object.add(name, value) }
        return .object(object)
    }
}
