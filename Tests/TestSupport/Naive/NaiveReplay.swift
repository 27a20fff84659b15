package import LedgerCore

/// A second implementation of the answer to "what may this customer use", written from PROTOCOL.md section 8 and
/// DESIGN.md section 5 and nothing else: every question replays the whole list of documents, and each rule is a search
/// over all of them.
///
/// It shares no code with the fold and the evaluators, and is as slow as it looks.
package struct NaiveReplay: Sendable {
    package private(set) var documents: [NaiveDocument]

    package init(_ events: [LedgerEvent]) { documents = events.compactMap(NaiveDocument.init) }

    /// What is known of a customer at an instant, of what the ledger had recorded by then (nil: everything).
    package func customer(
        _ key: CustomerKey,
        in environment: StoreEnvironment,
        at instant: Instant,
        knownAt: KnownAt? = nil
    ) -> NaiveCustomer {
        let known = documents.filter { document in
            guard document.environment == environment else { return false }
            switch knownAt {
            case nil: return true
            case .time(let time): return document.recordedAt <= time
            case .position(let last): return document.position <= last
            }
        }
        return NaiveCustomer(key, Self.counting(known, at: instant.milliseconds))
    }

    /// What was signed by then; of a transaction that was not, its earliest renderings instead (DESIGN.md section 5).
    private static func counting(_ known: [NaiveDocument], at instant: Int64) -> [NaiveDocument] {
        var counting = known.filter { $0.signed <= instant }
        let renderings = Dictionary(grouping: known.filter { $0.kind == .transaction }) { $0.text("transactionId") }
        for (id, renderings) in renderings where id != nil {
            guard let first = renderings.map(\.signed).min(), first > instant else { continue }
            counting += renderings.filter { $0.signed == first }
        }
        return counting
    }
}

/// The lines that belong to a key, each with the documents about it, and whether consent was withdrawn.
package struct NaiveCustomer: Sendable {
    package private(set) var lines: [NaiveLine] = []
    /// When consent was first withdrawn, in milliseconds.
    package private(set) var rescinded: Int64?

    init(_ key: CustomerKey, _ documents: [NaiveDocument]) {
        let all = Dictionary(grouping: documents.filter { $0.kind != .appTransaction && $0.line != nil }) {
            $0.line ?? ""
        }
        for (id, documents) in all.sorted(by: { $0.key < $1.key }) {
            let line = NaiveLine(id, documents)
            let isAsked =
                switch key {
                case .appTransactionID(let customer): line.customer == customer.rawValue
                case .originalTransactionID(let line): line.rawValue == id
                case .appAccountToken(let token): line.token == token.rawValue
                case .transactionID(let transaction):
                    line.purchases.contains { $0.text("transactionId") == transaction.rawValue }
                }
            if isAsked && line.hasFacts { lines.append(line) }
        }
        var customers = lines.compactMap(\.customer)
        if case .appTransactionID(let customer) = key { customers.append(customer.rawValue) }
        rescinded =
            documents
            .filter { $0.isNotification && $0.text("notificationType") == "RESCIND_CONSENT" }
            .filter { document in customers.contains { $0 == document.customerInside } }
            .map(\.signed).min()
    }
}
