package import Postgres

/// Looks at what other sessions of a test's database do, and ends them.
///
/// It asks the server again until what it waits for is there; nothing sleeps. The caller's time limit ends it.
package struct ServerWatch {
    private let connection: Connection

    /// Watches the database of a superuser's connection.
    package init(_ connection: Connection) { self.connection = connection }

    /// What a session waits for.
    package enum Wait: String, Sendable, CaseIterable {
        /// The advisory lock of ``pauseChanges(of:)``.
        case advisory
        /// A row that another transaction holds.
        case row
        /// A lock of a whole table.
        case table

        fileprivate var lockTypes: [String] {
            switch self {
            case .advisory: ["advisory"]
            case .row: ["transactionid", "tuple"]
            case .table: ["relation"]
            }
        }
    }

    /// The server's process of a session that waits; nil once `isOver` says that nobody will.
    package func waitingBackend(for wait: Wait, unless isOver: () -> Bool = { false }) throws -> Int32? {
        while true {
            let rows = try connection.pipeline([Query(Self.forget), Query(Self.waiting, [.textArray(wait.lockTypes)])])
            if let found = rows.last, !found.isEmpty { return found.int32(0, 0) }
            if isOver() { return nil }
        }
    }

    /// Ends a session as an administrator would, and waits until it is gone.
    package func terminate(_ backend: Int32) throws {
        _ = try connection.query(Self.terminate, [.int4(backend)])
        while try connection.query(Self.lives, [.int4(backend)]).bool(0, 0) {}
    }

    /// Makes each statement that changes a table wait, before its transaction can go on, while ``hold()`` is in force
    /// and the condition, in SQL, is met.
    package func pauseChanges(of table: String, while condition: String = "true") throws {
        try connection.execute(
            """
            CREATE OR REPLACE FUNCTION public.test_pause() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              IF \(condition) THEN PERFORM pg_catalog.pg_advisory_xact_lock_shared(42); END IF;
              RETURN NULL;
            END $$;
            CREATE TRIGGER test_pause AFTER INSERT OR UPDATE ON \(table)
              FOR EACH STATEMENT EXECUTE FUNCTION public.test_pause();
            """
        )
    }

    /// Stops changes of the tables of ``pauseChanges(of:)`` until ``release()``.
    package func hold() throws { try connection.execute("SELECT pg_advisory_lock(42)") }

    package func release() throws { try connection.execute("SELECT pg_advisory_unlock(42)") }

    /// Within a transaction the server shows the sessions as they were when it was first asked.
    private static let forget = Statement(name: "test_forget", sql: "SELECT pg_stat_clear_snapshot()", isReadOnly: true)
    private static let waiting = Statement(
        name: "test_waiting",
        sql: """
            SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
            WHERE NOT l.granted AND a.datname = current_database() AND l.pid <> pg_backend_pid()
              AND l.locktype = ANY ($1)
            ORDER BY random() LIMIT 1
            """,
        isReadOnly: true
    )
    private static let terminate = Statement(name: "test_terminate", sql: "SELECT pg_terminate_backend($1)")
    private static let lives = Statement(
        name: "test_lives",
        sql: "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1)",
        isReadOnly: true
    )
}
