import EventStore
package import LedgerCore
import Postgres
internal import Synchronization

/// The versions of the catalog, as every daemon reads them from the log: shared by the loops and by the threads that
/// answer about the past.
///
/// The projection's cursor says which version is the last one folded; whoever sees one that is not on the shelf fetches
/// it before it answers. So all daemons answer by the same versions at the same position.
package final class CatalogShelf: Sendable {
    private let timeline: Mutex<CatalogTimeline>

    /// An empty shelf; `initial` is in force until the first version is recorded.
    package init(initial: Catalog) { timeline = Mutex(CatalogTimeline(initial: initial)) }

    /// The catalog in force at an instant, by what was recorded up to a position.
    package func catalog(at instant: Instant, upTo last: Position) -> Catalog {
        timeline.withLock { $0.catalog(at: instant, upTo: last) }
    }

    /// When another catalog comes into force after an instant, by what was recorded up to a position; nil: none does.
    package func nextVersion(after instant: Instant, upTo last: Position) -> Instant? {
        timeline.withLock { $0.nextVersion(after: instant, upTo: last) }
    }

    /// Whether the version at this position, and those before it, are on the shelf.
    func holds(_ position: Position) -> Bool { timeline.withLock { $0.position >= position } }

    /// Fetches what is missing when the version at a position is not on the shelf, on a thread that may wait.
    func fetch(upTo newest: Position, on connection: Connection) throws(EventStoreError) {
        guard !holds(newest) else { return }
        let missing = query
        add(
            try eventStoreErrors { () throws(PostgresError) in
                try connection.query(missing.statement, missing.parameters)
            }
        )
    }

    /// The query for what is missing.
    var query: Query { Query(Statements.readCatalogs, [.int8(timeline.withLock { $0.position.rawValue })]) }

    /// Takes the rows of ``query`` in.
    func add(_ rows: Rows) {
        for row in rows.indices {
            let catalog = try? Catalog(json: rows.bytes(row, 2))
            timeline.withLock {
                $0.add(
                    catalog,
                    at: Position(rows.int64(row, 0)),
                    recordedAt: Instant(milliseconds: rows.int64(row, 1))
                )
            }
        }
    }
}
