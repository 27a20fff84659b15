import Postgres

/// Reads the rows of a cursor that is open in a transaction, page by page.
struct RowCursor {
    /// The most rows of a page.
    static let pageMax = 2000

    private let fetch: Statement

    /// Opens the cursor.
    /// - Parameters:
    ///   - name: what `query` declares.
    ///   - query: a DECLARE with its parameters.
    ///   - tx: the transaction that it lives in.
    /// - Throws: `PostgresError`.
    init(_ name: String, _ query: Query, in tx: borrowing Transaction) throws(PostgresError) {
        fetch = Statement(name: "rebuild_fetch_\(name)", sql: "FETCH \(Self.pageMax) FROM \(name)", isReadOnly: true)
        try tx.query(query.statement, query.parameters)
    }

    /// The next page; empty behind the last one.
    func next(in tx: borrowing Transaction) throws(PostgresError) -> Rows { try tx.query(fetch) }
}
