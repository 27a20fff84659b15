package import LedgerCore

/// Everything that a ``FactSet`` holds, comparable.
package struct FactSnapshot: Equatable, Sendable {
    package var transactions: [FactKey<TransactionID>: TransactionFact]
    package var renewals: [FactKey<OriginalTransactionID>: RenewalFact]
    package var lines: [FactKey<OriginalTransactionID>: LineFact]
    package var appTransactions: [FactKey<AppTransactionID>: AppTransactionFact]
    package var consents: [FactKey<AppTransactionID>: RescindedConsent]
    package var usages: [FactKey<IdempotencyKey>: UsageFact]

    package init(_ facts: FactSet) {
        transactions = facts.transactions
        renewals = facts.renewals
        lines = facts.lines
        appTransactions = facts.appTransactions
        consents = facts.consents
        usages = facts.usages
    }

    /// The facts of these events, folded one after the other.
    package init(folding events: some Sequence<LedgerEvent>) {
        var facts = FactSet()
        for event in events { facts.fold(event) }
        self.init(facts)
    }
}

extension Array {
    /// The elements in order, cut into pieces of random size.
    package func cut(into sizes: ClosedRange<Int>, using random: inout SeededGenerator) -> [[Element]] {
        var pieces: [[Element]] = []
        var rest = self[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: sizes, using: &random))
            rest = rest.dropFirst(piece.count)
            pieces.append(Array(piece))
        }
        return pieces
    }
    /// All orders of the elements.
    package var permutations: [[Element]] {
        guard let first else { return [[]] }
        return Array(dropFirst()).permutations.flatMap { rest in
            (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
        }
    }
}
