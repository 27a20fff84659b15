/// A key that reports of used units name, in its environment.
package struct UsageHolder: Hashable, Sendable {
    /// The environment.
    package var environment: StoreEnvironment
    /// The transaction, line, token or customer.
    package var key: CustomerKey

    /// A key in an environment.
    package init(_ environment: StoreEnvironment, _ key: CustomerKey) {
        self.environment = environment
        self.key = key
    }
}

extension FactSet {
    /// The keys that the reports name.
    package var usageHolders: Set<UsageHolder> {
        Set(usages.map { UsageHolder($0.key.environment, $0.value.usage.holder) })
    }

    /// Every key under which a report can be about a line of this set, with the line.
    package var reportableKeys: [(holder: UsageHolder, line: OriginalTransactionID)] {
        lineKeys.map { (UsageHolder($0.environment, $0.customerKey), $0.line) }
            + lines.keys.map { (UsageHolder($0.environment, .originalTransactionID($0.id)), $0.id) }
            + transactions.map {
                (UsageHolder($0.key.environment, .transactionID($0.key.id)), $0.value.originalTransactionID)
            }
    }

    /// Marks the lines of this set that the reports of this set are about.
    package mutating func markUsedLines() {
        let holders = usageHolders
        guard !holders.isEmpty else { return }
        for (holder, line) in reportableKeys where holders.contains(holder) {
            markUsed(line, in: holder.environment)
        }
    }

    /// Marks a line as one that reports of used units are about.
    package mutating func markUsed(_ id: OriginalTransactionID, in environment: StoreEnvironment) {
        var line = LineFact(id)
        line.hasUsage = true
        merge(.line(line, environment))
    }
}

extension LineKey {
    /// The key as a question names it.
    package var customerKey: CustomerKey {
        switch kind {
        case .appTransactionID: .appTransactionID(AppTransactionID(rawValue: value))
        case .appAccountToken: .appAccountToken(AppAccountToken(rawValue: value))
        }
    }
}
