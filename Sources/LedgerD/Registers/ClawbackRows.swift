import EventStore
import LedgerCore
import Projections

/// Makes clawbacks from entries of the registers: by the catalog in force when each entry happened, against what was
/// used of its transaction.
struct ClawbackRows {
    let reader: RegisterReader
    let environment: StoreEnvironment
    /// The registers as known here.
    let position: Position
    /// What was used by then counts.
    let at: Instant

    /// The rows of some entries, in their order; the other entries of their transactions are read.
    func rows(_ items: [RegisterReader.Item]) throws -> [Clawback] {
        let transactions = Set(items.map(\.row.entry.subject.transactionID))
        guard !transactions.isEmpty else { return [] }
        let entries = try reader.entries(of: transactions.sorted(), in: environment, knownAt: position)
        let accounts = try usage(of: entries)
        var byID: [RegisterEntry.ID: Clawback] = [:]
        for (id, entries) in Dictionary(grouping: entries, by: \.subject.transactionID) {
            let account = entries.first.flatMap { accounts[$0.subject.originalTransactionID] }
            let rows = Clawback.rows(of: entries, catalog: catalog) { _, catalog in
                account.flatMap { UsageSpread($0, catalog: catalog, at: at).used[id] } ?? 0
            }
            for row in rows { byID[row.entry.id] = row }
        }
        return items.compactMap { byID[$0.row.entry.id] }
    }

    private func catalog(_ entry: RegisterEntry) -> Catalog { reader.catalog(of: entry, knownAt: position) }

    private func usage(of entries: [RegisterEntry]) throws -> [OriginalTransactionID: UsageAccount] {
        let consumables = entries.lazy.map(\.subject).filter { $0.type?.known == .consumable }
        return try reader.usage(of: Set(consumables.map(\.originalTransactionID)), in: environment, knownAt: position)
    }
}
