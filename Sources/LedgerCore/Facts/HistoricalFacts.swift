/// The facts as they stood at an instant, and as the ledger knew them: the same fold over a choice of the same events.
///
/// Of each transaction the rendering signed last by the instant counts; where none was signed by then, the earliest one
/// after it, because a history that is imported later must still answer questions about last year. Renewal infos,
/// statuses and consents count only when they were signed by then. Used units count from when they were used, which the
/// evaluation sees to. What was recorded after `knownAt` does not exist.
package enum HistoricalFacts {
    /// Folds the events that count.
    /// - Parameters:
    ///   - events: all events about some lines, in any order.
    ///   - instant: the effective time (`at`).
    ///   - knownAt: nil when everything recorded counts.
    /// - Returns: the facts, of these lines only.
    package static func fold(_ events: [LedgerEvent], at instant: Instant, knownAt: KnownAt?) -> FactSet {
        let known = events.filter { $0.isKnown(at: knownAt) }
        var facts = FactSet()
        var laterRenderings: [FactKey<TransactionID>: [LedgerEvent]] = [:]
        for event in known {
            if event.signedAt.map({ $0 <= instant }) ?? true {
                facts.fold(event)
            } else if let environment = event.environment, let id = event.transactionID, event.kind == .transaction {
                laterRenderings[FactKey(environment, id), default: []].append(event)
            }
        }
        for (key, renderings) in laterRenderings where facts.transactions[key] == nil {
            let first = renderings.compactMap(\.signedAt).min()
            for rendering in renderings where rendering.signedAt == first { facts.fold(rendering) }
        }
        return facts
    }
}

extension LedgerEvent {
    /// Whether the ledger had recorded this event by then.
    package func isKnown(at knownAt: KnownAt?) -> Bool {
        switch knownAt {
        case nil: true
        case .time(let time): recordedAt <= time
        case .position(let last): position <= last
        }
    }
}

extension FactSet {
    /// The facts of one customer: of all lines that belong to a key by these facts.
    package func customer(_ key: CustomerKey, in environment: StoreEnvironment) -> CustomerFacts {
        let asked: OriginalTransactionID? =
            switch key {
            case .originalTransactionID(let id): id
            case .transactionID(let id): transactions[FactKey(environment, id)]?.originalTransactionID
            case .appTransactionID, .appAccountToken: nil
            }
        let mine = lines.filter { line in
            guard line.key.environment == environment else { return false }
            switch key {
            case .appTransactionID(let id): return line.value.appTransactionID?.value == id
            case .appAccountToken(let token): return line.value.appAccountToken == token
            case .originalTransactionID, .transactionID: return line.key.id == asked
            }
        }
        let whole = lineFacts
        var facts = CustomerFacts(lines: mine.keys.sorted().compactMap { whole[$0] })
        var customers = Set(facts.lines.compactMap(\.line.appTransactionID?.value))
        if case .appTransactionID(let id) = key { customers.insert(id) }
        facts.consentRescindedAt = customers.compactMap { consents[FactKey(environment, $0)]?.rescindedAt }.min()
        facts.usage = usageAccount(of: facts.lines, in: environment)
        return facts
    }

    /// Takes the facts of a line in that were folded elsewhere.
    package mutating func merge(_ facts: LineFacts, in environment: StoreEnvironment) {
        merge(.line(facts.line, environment))
        for purchase in facts.purchases { merge(.transaction(purchase.fact, environment)) }
        if let renewal = facts.renewal { merge(.renewal(renewal, environment)) }
    }

    /// The facts line by line: each with its transactions, by identifier, and its renewal info.
    package var lineFacts: [FactKey<OriginalTransactionID>: LineFacts] {
        var ofLine: [FactKey<OriginalTransactionID>: [TransactionFact]] = [:]
        for (key, transaction) in transactions {
            ofLine[FactKey(key.environment, transaction.originalTransactionID), default: []].append(transaction)
        }
        let keys = Set(lines.keys).union(ofLine.keys).union(renewals.keys)
        return Dictionary(
            uniqueKeysWithValues: keys.map { key in
                let facts = LineFacts(
                    line: lines[key] ?? LineFact(key.id),
                    transactions: (ofLine[key] ?? []).sorted { $0.transactionID < $1.transactionID },
                    renewal: renewals[key]
                )
                return (key, facts)
            }
        )
    }
}
