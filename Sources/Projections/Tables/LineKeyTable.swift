import LedgerCore
import Postgres

/// `projection.line_keys`: every customer's key that was ever seen on a line.
enum LineKeyTable {
    /// The write of keys; known ones stay.
    static func writeQuery(_ keys: some Collection<LineKey>, _ schema: ProjectionSchema) -> Query {
        Query(Statements.writeLineKeys.on(schema), columns(keys))
    }

    /// One array a column, in the order of the table.
    static func columns(_ keys: some Collection<LineKey>) -> [Parameter] {
        [
            .int2Array(keys.map { $0.environment.code }), .int2Array(keys.map { $0.kind.rawValue }),
            .textArray(keys.map { $0.value }), .textArray(keys.map { $0.line.rawValue }),
        ]
    }
}
