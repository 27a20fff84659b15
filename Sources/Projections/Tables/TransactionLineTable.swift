import LedgerCore
import Postgres

/// `projection.transaction_lines`: the line that each transaction belongs to.
enum TransactionLineTable {
    typealias Row = (key: FactKey<TransactionID>, line: OriginalTransactionID)

    /// The write of transactions' lines over what is held.
    static func writeQuery(_ rows: [Row], _ schema: ProjectionSchema) -> Query {
        Query(Statements.writeTransactionLines.on(schema), columns(rows))
    }

    /// One array a column, in the order of the table.
    static func columns(_ rows: [Row]) -> [Parameter] {
        [
            .int2Array(rows.map { $0.key.environment.code }), .textArray(rows.map { $0.key.id.rawValue }),
            .textArray(rows.map { $0.line.rawValue }),
        ]
    }
}
