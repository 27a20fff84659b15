import EventStore
import LedgerCore
import Projections

/// Some rows of a register, as they are shown.
enum RegisterRows: Sendable {
    case entries([RegisterRow], RegisterTable<RegisterRow>)
    case clawbacks([Clawback])
    case purchases([PurchaseRow])
    case requests([RefundRequestRow])

    /// Writes a row as an object of JSON.
    func write(_ index: Int, to json: inout JSONWriter) {
        json.beginObject()
        switch self {
        case .entries(let rows, let table): table.writeMembers(of: rows[index], to: &json)
        case .clawbacks(let rows): RegisterTable.clawbacks.writeMembers(of: rows[index], to: &json)
        case .purchases(let rows): RegisterTable.purchases.writeMembers(of: rows[index], to: &json)
        case .requests(let rows): RegisterTable.refundRequests.writeMembers(of: rows[index], to: &json)
        }
        json.endObject()
    }

    /// Writes a row as a record of CSV.
    func write(_ index: Int, to csv: inout CSVWriter) {
        switch self {
        case .entries(let rows, let table): table.writeRecord(of: rows[index], to: &csv)
        case .clawbacks(let rows): RegisterTable.clawbacks.writeRecord(of: rows[index], to: &csv)
        case .purchases(let rows): RegisterTable.purchases.writeRecord(of: rows[index], to: &csv)
        case .requests(let rows): RegisterTable.refundRequests.writeRecord(of: rows[index], to: &csv)
        }
    }

    /// Writes the names of the columns.
    func writeHeader(to csv: inout CSVWriter) {
        switch self {
        case .entries(_, let table): table.writeHeader(to: &csv)
        case .clawbacks: RegisterTable.clawbacks.writeHeader(to: &csv)
        case .purchases: RegisterTable.purchases.writeHeader(to: &csv)
        case .requests: RegisterTable.refundRequests.writeHeader(to: &csv)
        }
    }

    /// How many rows.
    var count: Int {
        switch self {
        case .entries(let rows, _): rows.count
        case .clawbacks(let rows): rows.count
        case .purchases(let rows): rows.count
        case .requests(let rows): rows.count
        }
    }
}

/// Makes rows of a register from entries.
struct RegisterRowMaker {
    let register: RegisterKind
    let reader: RegisterReader
    let catalog: Catalog
    let environment: StoreEnvironment
    let position: Position

    /// The rows of some entries; a clawback needs the other entries of its transaction, which are read.
    func rows(_ items: [RegisterReader.Item]) throws(EventStoreError) -> RegisterRows {
        guard register == .clawbacks else {
            let rows = items.map { RegisterRow($0.row, catalog: catalog) }
            return .entries(rows, register == .refunds ? .refunds : .revocations)
        }
        return .clawbacks(try clawbacks(items))
    }

    private func clawbacks(_ items: [RegisterReader.Item]) throws(EventStoreError) -> [Clawback] {
        let transactions = Set(items.map(\.row.entry.subject.transactionID))
        guard !transactions.isEmpty else { return [] }
        let entries = try reader.entries(of: transactions.sorted(), in: environment, knownAt: position)
        // Nothing reports used units yet, so no customer's transactions depend on each other.
        let all = ClawbackAccount.clawbacks(ofEntries: entries, catalog: catalog, usage: UsageTally())
        let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.entry.id, $0) })
        return items.compactMap { byID[$0.row.entry.id] }
    }
}
