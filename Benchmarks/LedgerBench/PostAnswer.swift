internal import LedgerCore

/// The answer to a notification that was taken.
struct PostAnswer: Hashable {
    /// What became of it.
    enum Outcome: Hashable {
        case recorded, duplicate
    }

    let outcome: Outcome
    let position: Int64
    let notificationUUID: [UInt8]

    /// The answer in a body, or nil when it has not the shape of the contract.
    init?(_ body: [UInt8]) {
        var outcome: Outcome?
        var position: Int64?
        var identifier: [UInt8]?
        var scanner = JSONScanner(body)
        do throws(JSONSyntaxError) {
            try scanner.readObject { scanner, name throws(JSONSyntaxError) in
                if scanner.holds("outcome", at: name) {
                    let text = try scanner.readString()
                    if scanner.holds("recorded", at: text) { outcome = .recorded }
                    if scanner.holds("duplicate", at: text) { outcome = .duplicate }
                } else if scanner.holds("position", at: name) {
                    position = try scanner.readNumber().integer
                } else if scanner.holds("notificationUUID", at: name) {
                    identifier = scanner.unescaped(try scanner.readString())
                } else {
                    try scanner.skipValue()
                }
            }
            try scanner.finish()
        } catch { return nil }
        guard let outcome, let position, position > 0, let identifier else { return nil }
        self.outcome = outcome
        self.position = position
        notificationUUID = identifier
    }
}
