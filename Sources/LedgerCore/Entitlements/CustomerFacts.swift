/// The facts that one answer is made from: every line that belongs to the key that was asked for.
package struct CustomerFacts: Sendable, Hashable {
    package var lines: [LineFacts]
    /// When the consent of a parent or guardian was first withdrawn.
    package var consentRescindedAt: Instant?
    /// What was reported of used units; nil: nothing.
    package var usage: UsageAccount?

    package init(lines: [LineFacts] = [], consentRescindedAt: Instant? = nil, usage: UsageAccount? = nil) {
        self.lines = lines
        self.consentRescindedAt = consentRescindedAt
        self.usage = usage
    }
}

/// The facts of one line.
///
/// They never change, and are shared by reference: an answer names a line and its transactions several times, and each
/// of them holds a dozen texts.
package final class LineFacts: Sendable {
    package let line: LineFact
    package let purchases: [Purchase]
    package let renewal: RenewalFact?

    package init(line: LineFact, purchases: [Purchase], renewal: RenewalFact?) {
        self.line = line
        self.purchases = purchases
        self.renewal = renewal
    }

    package convenience init(line: LineFact, transactions: [TransactionFact] = [], renewal: RenewalFact? = nil) {
        self.init(line: line, purchases: transactions.map(Purchase.init), renewal: renewal)
    }

    /// What is known of each of ``purchases``.
    package var transactions: [TransactionFact] { purchases.map { $0.fact } }
}

extension LineFacts: Hashable {
    package static func == (left: LineFacts, right: LineFacts) -> Bool {
        left.line == right.line && left.purchases == right.purchases && left.renewal == right.renewal
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(purchases)
        hasher.combine(renewal)
    }
}

/// A transaction of a line, kept where rows of an answer can refer to it.
package final class Purchase: Sendable, Hashable {
    package let fact: TransactionFact

    package init(_ fact: TransactionFact) { self.fact = fact }

    package static func == (left: Purchase, right: Purchase) -> Bool { left.fact == right.fact }

    package func hash(into hasher: inout Hasher) { hasher.combine(fact) }
}

/// A transaction with the line that it belongs to.
package struct LineTransaction: Sendable, Hashable {
    package let facts: LineFacts
    package let purchase: Purchase

    package init(_ facts: LineFacts, _ purchase: Purchase) {
        self.facts = facts
        self.purchase = purchase
    }

    /// What is known of the transaction; lent, not copied.
    package var fact: TransactionFact { _read { yield purchase.fact } }
}
