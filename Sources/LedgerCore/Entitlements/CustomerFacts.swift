/// The facts that one answer is made from: every line that belongs to the key that was asked for.
package struct CustomerFacts: Sendable, Hashable {
    package var lines: [LineFacts]
    /// When the consent of a parent or guardian was first withdrawn.
    package var consentRescindedAt: Instant?

    package init(lines: [LineFacts] = [], consentRescindedAt: Instant? = nil) {
        self.lines = lines
        self.consentRescindedAt = consentRescindedAt
    }
}

/// The facts of one line.
///
/// They never change, and are shared by reference: an answer names a line and its transactions several times, and each
/// of them holds a dozen texts.
package final class LineFacts: Sendable {
    package let line: LineFact
    package let transactions: [TransactionFact]
    package let renewal: RenewalFact?

    package init(line: LineFact, transactions: [TransactionFact] = [], renewal: RenewalFact? = nil) {
        self.line = line
        self.transactions = transactions
        self.renewal = renewal
    }
}

extension LineFacts: Hashable {
    package static func == (left: LineFacts, right: LineFacts) -> Bool {
        left.line == right.line && left.transactions == right.transactions && left.renewal == right.renewal
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(transactions)
        hasher.combine(renewal)
    }
}

/// One transaction of a line, by its place among them.
package struct LineTransaction: Sendable, Hashable {
    package let facts: LineFacts
    private let place: Int

    package init(_ facts: LineFacts, _ place: Int) {
        self.facts = facts
        self.place = place
    }

    package var fact: TransactionFact { facts.transactions[place] }
}
