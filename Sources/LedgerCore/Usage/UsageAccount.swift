/// The reports of used units that concern a customer's lines, with every line that they are spread over: those of the
/// customer, and others that share a key which a report names.
package struct UsageAccount: Sendable, Hashable {
    /// The reports, in the order of the log.
    package var usages: [UsageFact]
    /// The lines, by identifier.
    package var lines: [LineFacts]

    /// An account of these reports and lines.
    package init(usages: [UsageFact], lines: [LineFacts]) {
        self.usages = usages
        self.lines = lines
    }
}

extension FactSet {
    /// The reports that concern some lines, directly or through other lines; nil when nothing was reported about them.
    ///
    /// A report about a customer is spread over all lines of that customer, so what falls on one of them depends on the
    /// others, and on the reports about those.
    func usageAccount(of lines: [LineFacts], in environment: StoreEnvironment) -> UsageAccount? {
        guard !usages.isEmpty else { return nil }
        let known = usages.filter { $0.key.environment == environment }.values
        let reports = Dictionary(grouping: known, by: \.usage.holder)
        var sharers: [CustomerKey: [LineFacts]] = [:]
        for facts in lineFacts.filter({ $0.key.environment == environment }).values {
            for holder in facts.usageHolders where reports[holder] != nil { sharers[holder, default: []].append(facts) }
        }
        var found: [UsageFact] = []
        var holders: Set<CustomerKey> = []
        var account: [OriginalTransactionID: LineFacts] = [:]
        var next = lines
        while let facts = next.popLast() {
            guard account.updateValue(facts, forKey: facts.line.originalTransactionID) == nil else { continue }
            for holder in facts.usageHolders where holders.insert(holder).inserted {
                guard let named = reports[holder] else { continue }
                found += named
                next += sharers[holder] ?? []
            }
        }
        guard !found.isEmpty else { return nil }
        return UsageAccount(
            usages: found.sorted { $0.position < $1.position },
            lines: account.values.sorted { $0.line.originalTransactionID < $1.line.originalTransactionID }
        )
    }
}

extension LineFacts {
    /// Whether reports of used units name the line, a customer's key that it ever bore, or one of its transactions.
    package var hasUsage: Bool { line.hasUsage || purchases.contains { $0.fact.hasUsage } }

    /// Every key under which a report can be about this line.
    package var usageHolders: [CustomerKey] {
        let keys: [CustomerKey?] = [
            .originalTransactionID(line.originalTransactionID), line.appAccountToken.map { .appAccountToken($0) },
            line.appTransactionID.map { .appTransactionID($0.value) },
        ]
        return keys.compactMap { $0 } + purchases.map { .transactionID($0.fact.transactionID) }
    }
}

extension CustomerFacts {
    /// Whether there are reports of used units about these lines that the facts do not hold: tables hold a mark alone.
    package var lacksUsage: Bool { usage == nil && lines.contains { $0.hasUsage } }
}
