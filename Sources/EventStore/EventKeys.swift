package import LedgerCore

/// What events are looked for by: each kind of key finds those that are about it alone.
package struct EventKeys: Sendable, Hashable {
    /// Everything about these lines.
    package var lines: Set<OriginalTransactionID>
    /// What is about these customers and no line.
    package var customers: Set<AppTransactionID> = []
    /// Reports of used units that name these transactions.
    package var transactions: Set<TransactionID> = []
    /// Reports of used units that name these tokens.
    package var tokens: Set<AppAccountToken> = []

    /// Keys that find what is about some lines.
    package init(lines: Set<OriginalTransactionID> = []) { self.lines = lines }

    /// Whether they find nothing.
    package var isEmpty: Bool { lines.isEmpty && customers.isEmpty && transactions.isEmpty && tokens.isEmpty }

    /// Adds the keys of another set.
    package mutating func formUnion(_ other: EventKeys) {
        lines.formUnion(other.lines)
        customers.formUnion(other.customers)
        transactions.formUnion(other.transactions)
        tokens.formUnion(other.tokens)
    }

    /// Takes the keys of another set out.
    package mutating func subtract(_ other: EventKeys) {
        lines.subtract(other.lines)
        customers.subtract(other.customers)
        transactions.subtract(other.transactions)
        tokens.subtract(other.tokens)
    }
}
