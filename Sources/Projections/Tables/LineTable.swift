import LedgerCore
import Postgres

/// `projection.lines`: each line with all of its facts, packed.
enum LineTable: FactTable {
    static let load = Statements.read("load_lines", PackageResources.load_lines_sql)
    static let write = Statements.write("write_lines", PackageResources.write_lines_sql)

    static func decode(_ row: RowReader) -> LineFacts { row.packedLine(0) }

    static func columns(_ facts: [(key: FactKey<OriginalTransactionID>, fact: LineFacts)]) -> [Parameter] {
        let all = facts.map(\.fact)
        return [
            .int2Array(facts.map(\.key.environment.code)),
            .textArray(facts.map(\.key.id.rawValue)),
            .textArray(all.map(\.line.appTransactionID?.value.rawValue)),
            .textArray(all.map(\.line.appAccountToken?.rawValue)),
            .byteaArray(all.map(\.packed)),
        ]
    }
}
