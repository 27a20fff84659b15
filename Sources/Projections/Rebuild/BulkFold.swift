import EventStore
import LedgerCore
import Postgres
import Synchronization
import Threads

/// Folds the whole log into empty tables, line by line instead of event by event: the database sorts the log, each thread
/// folds its part of the lines, and every row is written once, into tables without indexes, which are built at the end
/// (decision 16).
///
/// Lines between which a transaction moved can't be folded apart; they are folded as a follower does it, afterwards.
/// What is held in memory is a page of events and the facts of the lines in it, for each thread.
struct BulkFold {
    /// The most threads, each with two sessions and a sort in the database.
    static let threadsMax = 4
    /// What the database may use for each sort, before it takes to its disk, and for each index that is built.
    private static let settings = [
        "work_mem": "64MB", "maintenance_work_mem": "128MB",
        // What is lost in a crash of the server is folded again.
        "synchronous_commit": "off",
        // Each thread has a core for its session already.
        "max_parallel_workers_per_gather": "0",
    ]

    private let connection: Connection
    private let crew: Crew
    private let head: Position

    /// A fold up to a position as the owner of the database, with sessions like this one.
    init(_ connection: Connection, upTo head: Position) {
        self.connection = connection
        self.head = head
        var session = connection.configuration
        session.settings.merge(Self.settings) { $1 }
        crew = Crew(configuration: session, size: min(Processors.count, Self.threadsMax))
    }

    /// Folds the log into the tables that `prepare_rebuild.sql` made.
    /// - Parameter progress: told how many events were folded, about.
    /// - Throws: `PostgresError`, or ``LogCorruption`` naming an event that cannot be read or is missing.
    func fold(progress: (Int64) -> Void) throws {
        try connection.execute(RebuildScripts.findMovedLines)
        let whole = try foldWholeLines(progress: progress)
        try buildIndexes()
        let moved = try foldMovedLines()
        guard whole + moved == head.rawValue else { throw try missingEvent() }
        try markUsed()
        // Of an empty log nothing was folded, so the tables have no shape.
        if head > .start {
            let cursor: [Parameter] = [
                .text(FactProjection.name), .int8(head.rawValue), .int2(ProjectionShape.current),
            ]
            try connection.query(RebuildScripts.moveCursor, cursor)
        }
        try connection.execute(RebuildScripts.removeOwn)
    }

    /// - Returns: how many events were folded.
    private func foldWholeLines(progress: (Int64) -> Void) throws -> Int64 {
        let (parts, head, session) = (crew.size, head, crew.configuration)
        let count = Atomic<Int64>(0)
        try crew.share(parts, progress: progress) { connection, jobs in
            let writer = try Connection(session)
            defer { writer.close() }
            jobs.each { part in
                try connection.transactionOrFault { tx in
                    let part: [Parameter] = [.int8(head.rawValue), .int4(Int32(part)), .int4(Int32(parts))]
                    let log = try RowCursor("log_by_line", Query(RebuildScripts.readLogByLine, part), in: tx)
                    try Self.fold(log, in: tx, writer) { events in
                        count.add(Int64(events), ordering: .relaxed)
                        jobs.advance(by: Int64(events))
                    }
                }
            }
        }
        return count.load(ordering: .relaxed)
    }

    /// Folds the events of a cursor, and writes lines when all of their events have come.
    private static func fold(
        _ log: RowCursor,
        in tx: borrowing Transaction,
        _ writer: Connection,
        folded: (Int) -> Void
    ) throws {
        var lines = WholeLines()
        var current: String?
        while true {
            let rows = try log.next(in: tx)
            guard !rows.isEmpty else { return try lines.write(on: writer) }
            let events = try StoredEvent.all(rows)
            let last = rows.optionalText(rows.count - 1, keyColumn)
            // What has no key stands alone; of the last key more may come.
            let other = rows.indices.last { last == nil || rows.optionalText($0, keyColumn) != last }
            if let end = other.map({ $0 + 1 }) ?? (last == current ? nil : 0) {
                lines.take(events[..<end])
                try lines.write(on: writer)
                lines = WholeLines()
                lines.take(events[end...])
            } else {
                lines.take(events)
            }
            current = last
            folded(events.count)
        }
    }

    /// Of `rebuild_read_log_by_line.sql`: what events are grouped by.
    private static let keyColumn = 22

    /// Builds the indexes of the live tables on the new ones, and makes primary keys of those that are one.
    private func buildIndexes() throws {
        let rows = try connection.query(RebuildScripts.listIndexes)
        let definitions = rows.indices.map { rows.text($0, 3) }
        try crew.share(definitions.count) { connection, jobs in
            jobs.each { try connection.execute(definitions[$0]) }
        }
        for row in rows.indices where rows.bool(row, 1) {
            let (table, index) = (rows.text(row, 0), rows.text(row, 2))
            // The names come from the catalog and are letters and underscores.
            try connection.execute(
                "ALTER TABLE projection_next.\(table) ADD CONSTRAINT \(index) PRIMARY KEY USING INDEX \(index)"
            )
        }
    }

    /// - Returns: how many events were folded.
    private func foldMovedLines() throws -> Int64 {
        let projection = FactProjection(connection, schema: .next)
        var (position, count) = (Position.start, Int64(0))
        while true {
            let events = try connection.transactionOrFault { tx in
                let batch = [position.rawValue, head.rawValue, Int64(FactProjection.batchMax)]
                let rows = try tx.query(RebuildScripts.readMovedLines, batch.map { .int8($0) })
                let events = try StoredEvent.all(rows)
                // Reports of used units are looked at when all of them are there.
                let folded = try projection.fold(events, from: position, hasUsages: false, in: tx)
                try tx.commit(after: folded.writes)
                return events
            }
            guard let last = events.last?.event.position else { return count }
            position = last
            count += Int64(events.count)
        }
    }

    private func markUsed() throws {
        try connection.transactionOrFault { tx in
            let used = try RowCursor("used_keys", Query(RebuildScripts.findUsedKeys), in: tx)
            while true {
                let rows = try used.next(in: tx)
                if rows.isEmpty { return }
                var facts = FactSet()
                UsageFold.mark(rows, in: &facts)
                let held = LineTable.loadTouchedQuery(facts, .next)
                for row in LineTable.decodeAll(try tx.query(held.statement, held.parameters)) {
                    facts.merge(row.fact, in: row.environment)
                }
                _ = try tx.pipeline([LineTable.writeQuery(facts.lineFacts, .next)])
            }
        }
    }

    private func missingEvent() throws(PostgresError) -> LogCorruption {
        let rows = try connection.query(RebuildScripts.findMissingEvent, [.int8(head.rawValue)])
        precondition(!rows.isEmpty, "a log without a hole was not folded as a whole")
        return LogCorruption(position: Position(rows.int64(0, 0)), finding: .missingEvent)
    }
}
