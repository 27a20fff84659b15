import LedgerCore
import Postgres

/// `projection.lines`: each line with all of its facts, packed.
enum LineTable: FactTable {
    static let load = Statements.read("load_lines", PackageResources.load_lines_sql)
    static let write = Statements.write("write_lines", PackageResources.write_lines_sql)

    /// Reads the lines that facts touch: those that they name, and those that their transactions are in by the tables.
    static func loadTouchedQuery(_ touched: FactSet, _ schema: ProjectionSchema) -> Query {
        // Every transaction and renewal info names its line, but for transactions of which no more than a mark is at hand.
        let lines = Array(touched.lines.keys)
        let transactions = Array(touched.usedTransactions.union(touched.transactions.keys))
        return Query(
            Statements.loadTouchedLines.on(schema),
            [
                .int2Array(lines.map(\.environment.code)), .textArray(lines.map(\.id.rawValue)),
                .int2Array(transactions.map(\.environment.code)), .textArray(transactions.map(\.id.rawValue)),
            ]
        )
    }

    static func decode(_ row: RowReader) -> LineFacts { row.packedLine(0) }

    static func columns(_ facts: [(key: FactKey<OriginalTransactionID>, fact: LineFacts)]) -> [Parameter] {
        // Closures, not key paths: those cost a generic call each, and this runs for every line that changes.
        [
            .int2Array(facts.map { $0.key.environment.code }),
            .textArray(facts.map { $0.key.id.rawValue }),
            .textArray(facts.map { $0.fact.line.appTransactionID?.value.rawValue }),
            .textArray(facts.map { $0.fact.line.appAccountToken?.rawValue }),
            .byteaArray(facts.map { $0.fact.packed }),
        ]
    }
}
