import LedgerCore
import Postgres

/// `projection.lines`: each line with all of its facts, packed.
enum LineTable: FactTable {
    static let load = Statements.read("load_lines", PackageResources.load_lines_sql)
    static let write = Statements.write("write_lines", PackageResources.write_lines_sql)

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
