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
    let selection: RegisterSelection
    let position: Position

    /// The rows of some entries, each by the catalog in force when it happened.
    func rows(_ items: [RegisterReader.Item]) throws -> RegisterRows {
        guard register == .clawbacks else {
            let rows = items.map { item in
                RegisterRow(item.row, catalog: reader.catalog(of: item.row.entry, knownAt: position))
            }
            return .entries(rows, register == .refunds ? .refunds : .revocations)
        }
        let maker = ClawbackRows(
            reader: reader,
            environment: selection.environment,
            position: position,
            at: selection.at
        )
        return .clawbacks(try maker.rows(items))
    }
}
