package import EventStore
package import LedgerCore

/// A register as it was known at two positions, and the rows that make up the difference.
package struct RegisterReplay: Sendable {
    /// Why a row is believed at one of the positions and not at the other.
    package enum Cause: String, Hashable, Sendable, CaseIterable {
        /// The ledger first heard of it between the two.
        case discovered
        /// The same change with other members: a price became known, the purchase was signed again.
        case restated
        /// A rendering that arrived late put other changes in its place.
        case superseded
    }

    /// A row that is believed at one of the positions only.
    package struct Change: Sendable {
        /// Whether it is believed at the later one.
        package var isAdded: Bool
        /// Why it was not at the other.
        package var cause: Cause
        /// The row.
        package var row: BelievedEntry
    }

    /// The most rows of a difference, which are held in memory.
    package static let changesMax = 5000
    /// Rows of one query.
    private static let pageMax = 500

    /// The totals at the earlier and at the later position.
    package let totals: (before: RegisterTotals, after: RegisterTotals)
    /// The rows that make up the difference, in the order of their date: first what went, then what came.
    package let changes: [Change]

    /// Reads the register at both positions.
    /// - Returns: nil when more than ``changesMax`` rows differ.
    /// - Throws: ``EventStoreError``.
    package init?(
        _ selection: RegisterSelection,
        from earlier: Position,
        to later: Position,
        _ reader: RegisterReader
    ) throws(EventStoreError) {
        totals = (
            try reader.totals(selection, knownAt: earlier), try reader.totals(selection, knownAt: later)
        )
        let gone = try Self.rows(selection, at: earlier, butNotAt: later, reader)
        let come = try Self.rows(selection, at: later, butNotAt: earlier, reader)
        guard var gone, var come, gone.count + come.count <= Self.changesMax else { return nil }
        // What was given up and believed again in the same words is no change.
        let unchanged = Set(gone.map(\.entry)).intersection(come.map(\.entry))
        gone.removeAll { unchanged.contains($0.entry) }
        come.removeAll { unchanged.contains($0.entry) }
        let before = Set(gone.map(\.entry.id))
        let after = Set(come.map(\.entry.id))
        let removals = gone.map { row in
            Change(isAdded: false, cause: after.contains(row.entry.id) ? .restated : .superseded, row: row)
        }
        let additions = come.map { row in
            let isNew = row.entry.discovery.position > earlier
            let cause: Cause = before.contains(row.entry.id) ? .restated : isNew ? .discovered : .superseded
            return Change(isAdded: true, cause: cause, row: row)
        }
        changes = removals + additions
    }

    /// What the changes of a cause add up to; of all causes when it is nil.
    package func difference(_ cause: Cause? = nil) -> RegisterTotals {
        var totals = RegisterTotals()
        for change in changes where cause == nil || change.cause == cause {
            if change.isAdded { totals.add(change.row.entry) } else { totals.remove(change.row.entry) }
        }
        return totals
    }

    private static func rows(
        _ selection: RegisterSelection,
        at position: Position,
        butNotAt other: Position,
        _ reader: RegisterReader
    ) throws(EventStoreError) -> [BelievedEntry]? {
        var rows: [BelievedEntry] = []
        var place: RegisterPlace?
        while rows.count <= changesMax {
            let page = try reader.entries(selection, knownAt: position, butNotAt: other, after: place, limit: pageMax)
            rows += page.map(\.row)
            guard page.count == pageMax, let last = page.last else { return rows }
            place = last.place
        }
        return nil
    }
}
