package import LedgerCore

/// What belonged to a key: the facts, and the events that are about them.
package struct CustomerHistory: Sendable {
    package let facts: CustomerFacts
    /// In the order of the log: the events of the lines that belong to the key, and of the customers they belong to.
    package let events: [LedgerEvent]

    /// Leaves out events of lines that once bore the key and are somebody else's.
    init(_ facts: CustomerFacts, of key: CustomerKey, among events: [LedgerEvent]) {
        self.facts = facts
        let lines = Set(facts.lines.map(\.line.originalTransactionID))
        var customers = Set(facts.lines.compactMap(\.line.appTransactionID?.value))
        if case .appTransactionID(let id) = key { customers.insert(id) }
        let holders = Set(facts.lines.flatMap(\.usageHolders))
        let reports = Set(facts.usage?.usages.filter { holders.contains($0.usage.holder) }.map(\.position) ?? [])
        self.events =
            events.filter { event in
                if let line = event.originalTransactionID { return lines.contains(line) }
                if reports.contains(event.position) { return true }
                return event.appTransactionID.map { customers.contains($0) } ?? false
            }
            .sorted { $0.position < $1.position }
    }
}
