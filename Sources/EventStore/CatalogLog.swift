package import LedgerCore
package import Postgres

/// The versions of the catalog in the log, on a connection that the caller owns.
package struct CatalogLog {
    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// Records a version unless the last one recorded is the same.
    ///
    /// Daemons that start together record it once: the database compares behind the lock that numbers events.
    /// - Parameters:
    ///   - payload: ``Catalog/json``.
    ///   - digest: of the payload.
    /// - Returns: the event that stands for it, and whether it was recorded now.
    /// - Throws: ``EventStoreError`` when nothing was recorded, or it is not known whether it was: try again.
    package func record(_ payload: [UInt8], digest: DocumentDigest) throws(EventStoreError) -> Appended {
        do throws(PostgresError) {
            let rows = try connection.query(Statements.appendCatalog, [.bytea(digest.bytes), .bytea(payload)])
            return Appended(
                position: Position(rows.int64(0, 0)),
                outcome: rows.bool(0, 1) ? .recorded : .duplicate
            )
        } catch { throw EventStoreError(error) }
    }
}
