package import LedgerCore

/// A second implementation of the answer to "what may this customer use", written from PROTOCOL.md section 8 and
/// DESIGN.md section 5 and nothing else: every question replays the whole list of documents, and each rule is a search
/// over all of them.
///
/// It shares no code with the fold and the evaluators, and is as slow as it looks.
package struct NaiveReplay: Sendable {
    package private(set) var documents: [NaiveDocument]
    private let usages: [NaiveUsage]

    package init(_ events: [LedgerEvent]) {
        documents = events.compactMap(NaiveDocument.init)
        usages = events.compactMap(NaiveUsage.init)
    }

    /// What is known of a customer at an instant, of what the ledger had recorded by then (nil: everything).
    package func customer(
        _ key: CustomerKey,
        in environment: StoreEnvironment,
        at instant: Instant,
        knownAt: KnownAt? = nil
    ) -> NaiveCustomer {
        func isKnown(_ of: StoreEnvironment, _ position: Position, _ recordedAt: Instant) -> Bool {
            guard of == environment else { return false }
            switch knownAt {
            case nil: return true
            case .time(let time): return recordedAt <= time
            case .position(let last): return position <= last
            }
        }
        let known = documents.filter { isKnown($0.environment, $0.position, $0.recordedAt) }
        var customer = NaiveCustomer(key, Self.counting(known, at: instant.milliseconds))
        customer.usages = usages.filter { isKnown($0.environment, $0.position, $0.recordedAt) }
        return customer
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
    /// Everybody's lines: used units are spread over all that a report names.
    private(set) var everyLine: [NaiveLine] = []
    /// Everybody's reports of used units.
    fileprivate(set) var usages: [NaiveUsage] = []
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
            if line.hasFacts { everyLine.append(line) }
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
