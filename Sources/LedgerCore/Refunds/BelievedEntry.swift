/// What one more rendering changed in the register of a transaction.
package struct RegisterChange: Hashable, Sendable {
    /// Where the rendering became known.
    package var position: Position
    /// Entries that were believed until then.
    package var closed: [RegisterEntry]
    /// Entries that are believed from then on.
    package var opened: [RegisterEntry]

    /// Whether it changed nothing.
    package var isEmpty: Bool { closed.isEmpty && opened.isEmpty }
}

/// An entry with the positions between which it was believed: a row of the register.
package struct BelievedEntry: Hashable, Sendable {
    /// What was believed.
    package var entry: RegisterEntry
    /// The first position at which it is believed.
    package var knownFrom: Position
    /// The first position at which it no longer is; nil while it is.
    package var knownTo: Position?

    /// A row with these positions; `knownTo` is nil while it is believed.
    package init(entry: RegisterEntry, knownFrom: Position, knownTo: Position?) {
        self.entry = entry
        self.knownFrom = knownFrom
        self.knownTo = knownTo
    }

    /// Whether it was believed when the ledger stood at a position.
    package func isBelieved(at position: Position) -> Bool {
        knownFrom <= position && (knownTo.map { position < $0 } ?? true)
    }
}

/// The rows of a register: nothing is overwritten, a row that is no longer believed is closed and stays.
package struct BelievedRegister: Hashable, Sendable {
    /// All rows, in the order in which they were opened.
    package private(set) var rows: [BelievedEntry] = []

    /// A register without rows.
    package init() {}

    /// The rows that come of taking these renderings of one transaction in, in the order of their positions.
    package init(of renderings: some Sequence<RegisterRendering>) {
        var register = TransactionRegister()
        for rendering in renderings.sorted(by: { $0.position < $1.position }) { apply(register.take(rendering)) }
    }

    /// Closes and opens what a change says.
    package mutating func apply(_ change: RegisterChange) {
        let closed = Set(change.closed)
        for index in rows.indices where rows[index].knownTo == nil && closed.contains(rows[index].entry) {
            rows[index].knownTo = change.position
        }
        rows += change.opened.map { BelievedEntry(entry: $0, knownFrom: change.position, knownTo: nil) }
    }

    /// The register as it was known when the ledger stood at a position.
    package func entries(knownAt position: Position) -> [RegisterEntry] {
        rows.filter { $0.isBelieved(at: position) }.map(\.entry)
    }
}
