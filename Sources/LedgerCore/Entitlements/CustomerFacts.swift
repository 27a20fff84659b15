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
package struct LineFacts: Sendable, Hashable {
    package var line: LineFact
    package var transactions: [TransactionFact]
    package var renewal: RenewalFact?

    package init(line: LineFact, transactions: [TransactionFact] = [], renewal: RenewalFact? = nil) {
        self.line = line
        self.transactions = transactions
        self.renewal = renewal
    }
}
