package import Postgres

/// The schema, as an ordered list of steps: forward only, each in one transaction, each remembered with its checksum.
package enum Migrations {
    /// The steps in order; a step's number is its place, from 1.
    ///
    /// A test compares the list with the folder.
    package static let steps: [(name: String, sql: String)] = [
        ("0001_ledger", text(PackageResources._001_ledger_sql)),
        ("0002_projections", text(PackageResources._002_projections_sql)),
        ("0003_access", text(PackageResources._003_access_sql)),
        ("0004_registers", text(PackageResources._004_registers_sql)),
        ("0005_usage", text(PackageResources._005_usage_sql)),
        ("0006_finance", text(PackageResources._006_finance_sql)),
    ]

    /// The number of the newest step that this program knows.
    package static var newest: Int { steps.count }

    /// Brings the database up to date; safe when several daemons start at once.
    /// - Returns: how many steps were taken.
    /// - Throws: ``MigrationError``.
    @discardableResult
    package static func apply(to connection: Connection) throws(MigrationError) -> Int {
        var taken = 0
        try database { () throws(PostgresError) in try connection.execute(Self.bookkeeping) }
        while true {
            let (applied, isNew) = try database { () throws(PostgresError) in
                try connection.transaction { tx throws(PostgresError) in try Self.takeNextStep(tx) }
            }
            try check(applied)
            if isNew { taken += 1 }
            if applied.count == steps.count { return taken }
        }
    }

    /// Takes one step if one is missing.
    ///
    /// Daemons that start together wait at the lock for each other.
    private static func takeNextStep(
        _ tx: borrowing Transaction
    ) throws(PostgresError) -> (applied: [(name: String, isSame: Bool)], isNew: Bool) {
        try tx.execute("LOCK TABLE ledger_schema.migrations IN SHARE ROW EXCLUSIVE MODE")
        let applied = try Self.applied(tx)
        guard firstMismatch(applied) == nil, applied.count < steps.count else { return (applied, false) }
        let step = steps[applied.count]
        try tx.execute(step.sql)
        _ = try tx.query(remember, [.int4(Int32(applied.count + 1)), .text(step.name), .text(step.sql)])
        return (applied + [(step.name, true)], true)
    }

    /// Checks that the database has exactly the steps that this program knows.
    /// - Throws: ``MigrationError`` naming the first step that is missing, changed or too new.
    package static func verify(_ connection: Connection) throws(MigrationError) {
        let applied = try database { () throws(PostgresError) in
            guard try connection.query(Self.exists).bool(0, 0) else { return [(name: String, isSame: Bool)]() }
            return try connection.transaction { tx throws(PostgresError) in try Self.applied(tx) }
        }
        try check(applied)
        guard applied.count == steps.count else { throw .behind(have: applied.count, need: steps.count) }
    }

    private static func check(_ applied: [(name: String, isSame: Bool)]) throws(MigrationError) {
        guard applied.count <= steps.count else { throw .tooNew(have: applied.count, know: steps.count) }
        if let name = firstMismatch(applied) { throw .changed(name) }
    }

    private static func firstMismatch(_ applied: [(name: String, isSame: Bool)]) -> String? {
        for (index, step) in applied.enumerated() where index < steps.count {
            if !step.isSame || step.name != steps[index].name { return step.name }
        }
        return nil
    }

    private static func applied(_ tx: borrowing Transaction) throws(PostgresError) -> [(name: String, isSame: Bool)] {
        let rows = try tx.query(Self.list, [.textArray(steps.map(\.sql))])
        return rows.indices.map { (rows.text($0, 0), rows.bool($0, 1)) }
    }

    private static func database<Value>(
        _ body: () throws(PostgresError) -> Value
    ) throws(MigrationError) -> Value {
        do throws(PostgresError) { return try body() } catch { throw .database(error) }
    }

    /// One implicit transaction.
    ///
    /// The lock is only against the race of two `CREATE … IF NOT EXISTS`, which PostgreSQL lets fail; nothing that is
    /// stored depends on it.
    private static let bookkeeping = """
        SELECT pg_advisory_xact_lock(7164103958210);
        CREATE SCHEMA IF NOT EXISTS ledger_schema;
        CREATE TABLE IF NOT EXISTS ledger_schema.migrations (
          step integer PRIMARY KEY, name text NOT NULL, checksum bytea NOT NULL,
          applied_at timestamptz NOT NULL DEFAULT clock_timestamp());
        GRANT USAGE ON SCHEMA ledger_schema TO PUBLIC;
        GRANT SELECT ON ledger_schema.migrations TO PUBLIC;
        """

    private static let exists = Statement(
        name: "migrations_exist",
        sql: "SELECT to_regclass('ledger_schema.migrations') IS NOT NULL",
        isReadOnly: true
    )

    private static let list = Statement(
        name: "migrations_list",
        sql: """
            SELECT m.name, coalesce(m.checksum = sha256(convert_to(($1::text[])[m.step], 'UTF8')), true)
            FROM ledger_schema.migrations m ORDER BY m.step
            """,
        isReadOnly: true
    )

    private static let remember = Statement(
        name: "migrations_remember",
        sql: """
            INSERT INTO ledger_schema.migrations (step, name, checksum)
            VALUES ($1, $2, sha256(convert_to($3, 'UTF8')))
            """
    )

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Why the schema and the program do not fit.
package enum MigrationError: Error, Sendable, CustomStringConvertible {
    case database(PostgresError)
    /// The database has steps that this program does not know.
    case tooNew(have: Int, know: Int)
    /// The database lacks steps.
    case behind(have: Int, need: Int)
    /// A step was changed after it had been taken.
    case changed(String)

    package var description: String {
        switch self {
        case .database(let error): "The schema could not be read or changed: \(error)"
        case .tooNew(let have, let know):
            "The database has schema step \(have), and this program knows \(know): run a newer ledgerd."
        case .behind(let have, let need):
            "The database has schema step \(have) of \(need): run ledgerd migrate."
        case .changed(let name):
            "The schema step \(name) is not the one that this database was made with: run the ledgerd that made it."
        }
    }
}
