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

    /// Every key under which a report can be about something of this set, with the line that it marks; without one the
    /// key is a transaction, which bears the mark itself.
    package var reportableKeys: [(holder: UsageHolder, line: OriginalTransactionID?)] {
        lineKeys.map { (UsageHolder($0.environment, $0.customerKey), $0.line) }
            + lines.keys.map { (UsageHolder($0.environment, .originalTransactionID($0.id)), $0.id) }
            + transactions.keys.map { (UsageHolder($0.environment, .transactionID($0.id)), nil) }
    }

    /// Marks what the reports of this set name: its lines, and transactions wherever they are.
    package mutating func markUsed() {
        let holders = usageHolders
        guard !holders.isEmpty else { return }
        for (holder, line) in reportableKeys where holders.contains(holder) {
            if let line { markUsed(line, in: holder.environment) }
        }
        for holder in holders {
            if case .transactionID(let id) = holder.key { markUsed(id, in: holder.environment) }
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
