package import EventStore
package import LedgerCore
package import Postgres
import Threads

/// Folds the whole log again into tables beside the live ones, compares the two at the same position, and switches in
/// one step.
///
/// Reads and appends go on; nothing outside the tables is touched.
///
/// Run as the owner of the database, on a connection of its own.
package struct Rebuild {
    /// How the rebuilt tables compare with the live ones.
    package struct Comparison: Sendable, Hashable {
        /// The position that both stand at.
        package var position: Position
        /// The tables that differ, by name; empty when all are equal, or when there was no comparison.
        package var differing: [String]
        /// Why there was no comparison; nil when there was one.
        package var mismatch: ShapeMismatch?
    }

    /// How far the rebuild is.
    package struct Progress: Sendable, Hashable {
        package var position: Position
        package var head: Position
    }

    /// How long followers have to notice that tables were withdrawn: four times the longest of their pauses.
    private static let noticeTime: Duration = .seconds(1)

    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// Folds the log into new tables, up to where it ends now.
    ///
    /// What was made is removed again when that fails.
    /// - Throws: ``EventStoreError``, or ``LogCorruption`` naming an event that cannot be read.
    package func fold(progress: (Progress) -> Void) throws {
        do { try foldLog(progress: progress) } catch {
            // What is left behind by a lost session is removed by the next rebuild.
            try? discard()
            throw (error as? PostgresError).map { EventStoreError($0) } ?? error
        }
    }

    private func foldLog(progress: (Progress) -> Void) throws {
        try connection.execute(RebuildScripts.prepare)
        let log = EventReader(connection)
        let head = try log.head().position
        try BulkFold(connection, upTo: head).fold { progress(Progress(position: Position($0), head: head)) }
        let projection = FactProjection(connection, schema: .next)
        while case .advanced(let position, let isCaughtUp) = try projection.step() {
            progress(Progress(position: position, head: try log.head().position))
            if isCaughtUp { return }
        }
    }

    /// Brings both sets of tables to one position while the live cursor is held, and compares: either may be behind, the
    /// new ones by what came since, the live ones when their follower lags.
    ///
    /// With `replaces` the new tables take the place of the live ones in the same transaction, also when they differ: the
    /// fold of the whole log is right. Live tables of another shape are neither folded nor compared, and are withdrawn
    /// before they are replaced: programs that folded them would take the new rows for their own.
    package func compare(replaces: Bool) throws -> Comparison {
        if replaces, try withdraw() { _ = try WaitSignal().wait(for: Self.noticeTime) }
        let live = FactProjection(connection)
        let next = FactProjection(connection, schema: .next)
        var fault: (any Error)?
        let comparison = try eventStoreErrors { () throws(PostgresError) in
            try connection.transaction { tx throws(PostgresError) -> Comparison in
                var comparison = Comparison(
                    position: Position(try tx.query(Self.holdCursor).int64(0, 0)),
                    differing: []
                )
                do {
                    comparison.position = try next.catchUp(to: comparison.position, in: tx)
                    try live.catchUp(to: comparison.position, in: tx)
                } catch let error as PostgresError {
                    throw error
                } catch let error as ShapeMismatch {
                    comparison.mismatch = error
                } catch {
                    fault = error
                    return comparison
                }
                for table in comparison.mismatch == nil ? try Self.tables(tx) : [] {
                    let isEqual = try Self.digest(of: table, .live, tx) == Self.digest(of: table, .next, tx)
                    if !isEqual { comparison.differing.append(table) }
                }
                if replaces { try tx.execute(RebuildScripts.switchOver) }
                return comparison
            }
        }
        if let fault { throw fault }
        return comparison
    }

    /// Says of live tables of another shape that they are nobody's.
    /// - Returns: whether they were somebody's.
    func withdraw() throws(EventStoreError) -> Bool {
        let shapes: [Parameter] = [.int2(ProjectionShape.withdrawn), .int2(ProjectionShape.current)]
        return try connection.read(Self.withdrawTables, shapes).affectedRows > 0
    }

    /// Removes what ``fold(progress:)`` made.
    package func discard() throws(EventStoreError) {
        try eventStoreErrors { () throws(PostgresError) in
            try connection.execute(RebuildScripts.removeAll)
        }
    }

    private static func tables(_ tx: borrowing Transaction) throws(PostgresError) -> [String] {
        let rows = try tx.query(listTables)
        return rows.indices.map { rows.text($0, 0) }
    }

    /// The number of rows and the sum of their hashes: the same whatever the order on disk.
    private static func digest(
        of table: String,
        _ schema: ProjectionSchema,
        _ tx: borrowing Transaction
    ) throws(PostgresError) -> String {
        // The names come from the catalog and are letters and underscores.
        let statement = Statement(
            name: "rebuild_digest_\(schema.rawValue)_\(table)",
            sql: """
                SELECT count(*) || ' ' || coalesce(sum(hash_record_extended(t, 0)::numeric), 0)
                FROM \(schema.rawValue).\(table) t
                """,
            isReadOnly: true
        )
        return try tx.query(statement).text(0, 0)
    }

    private static let holdCursor = Statement(
        name: "rebuild_hold_cursor",
        sql: "SELECT c.position FROM projection.cursors c WHERE c.name = 'facts' FOR UPDATE"
    )

    private static let withdrawTables = Statement(
        name: "rebuild_withdraw_tables",
        sql: """
            UPDATE projection.cursors SET shape = $1
            WHERE name = 'facts' AND position > 0 AND shape NOT IN ($1::smallint, $2::smallint)
            """
    )

    private static let listTables = Statement(
        name: "rebuild_tables",
        sql: "SELECT tablename::text FROM pg_tables WHERE schemaname = 'projection' ORDER BY tablename",
        isReadOnly: true
    )
}
