import LedgerCore
import Projections

/// A transaction in its winning rendering, and the event that recorded that.
struct TransactionItem: Sendable {
    private var fact: TransactionFact
    private var event: LedgerEvent

    /// A customer's transactions by date of purchase, the oldest first.
    static func all(_ history: CustomerHistory) -> [TransactionItem] {
        let events = Dictionary(history.events.map { ($0.position, $0) }, uniquingKeysWith: { first, _ in first })
        return history.facts.lines.flatMap(\.transactions)
            .sorted { ($0.effectivePurchaseDate, $0.transactionID) < ($1.effectivePurchaseDate, $1.transactionID) }
            .compactMap { fact in
                events[fact.rendering.position].map { TransactionItem(fact: fact, event: $0) }
            }
    }

    /// Writes the API's transaction: the App Store's fields, and what the ledger knows besides.
    func write(to json: inout JSONWriter, at instant: Instant) {
        json.beginObject()
        // It was read when it was folded.
        (try? TransactionDocument(payload: event.payload))?.writeMembers(to: &json)
        json.member("position", event.position)
        json.member("recordedAt", event.recordedAt)
        json.name("source")
        json.literal(event.source.name)
        json.name("revocation")
        fact.writeRevocation(to: &json, at: instant)
        json.name("refunded")
        fact.refunded(at: instant).write(to: &json)
        json.member("versions", fact.versions)
        json.endObject()
    }
}

extension Money? {
    /// Writes the amount, or null (API.md, "Money").
    fileprivate func write(to json: inout JSONWriter) {
        guard let self else { return json.null() }
        json.beginObject()
        json.member("currency", self.currency)
        json.member("milliunits", self.amount.rawValue)
        json.endObject()
    }
}

extension CustomerHistory {
    /// The events in the order of the log, those signed by an instant; nil: all.
    func events(upTo instant: Instant?) -> [LedgerEvent] {
        guard let instant else { return events }
        return events.filter { $0.signedAt.map { $0 <= instant } ?? true }
    }
}

extension LedgerEvent {
    /// Writes one entry of the timeline (API.md, "Asking").
    func writeTimelineItem(to json: inout JSONWriter) {
        json.beginObject()
        json.member("position", position)
        json.member("recordedAt", recordedAt)
        json.member("signedDate", signedAt)
        json.name("kind")
        json.literal(kind.name)
        json.name("source")
        json.literal(source.name)
        json.member("type", notificationType)
        json.member("subtype", subtype)
        json.member("transactionId", transactionID)
        json.member("originalTransactionId", originalTransactionID)
        json.member("summary", summary)
        json.endObject()
    }
}
