import Postgres

/// The SQL of the projections, one file each under `SQL/`.
enum Statements {
    static let lockPage = write("lock_page", PackageResources.lock_page_sql)
    static let moveCursor = write("move_cursor", PackageResources.move_cursor_sql)
    static let readCursor = read("read_cursor", PackageResources.read_cursor_sql)
    static let loadTouchedLines = read("load_touched_lines", PackageResources.load_touched_lines_sql)
    static let writeLineKeys = write("write_line_keys", PackageResources.write_line_keys_sql)
    static let writeTransactionLines = write(
        "write_transaction_lines",
        PackageResources.write_transaction_lines_sql
    )
    static let findLines = read("find_lines", PackageResources.find_lines_sql)
    static let findLineOfTransaction = read(
        "find_line_of_transaction",
        PackageResources.find_line_of_transaction_sql
    )
    static let readByAppTransaction = read("read_by_app_transaction", PackageResources.read_by_app_transaction_sql)
    static let readByLine = read("read_by_line", PackageResources.read_by_line_sql)
    static let readByAccountToken = read("read_by_account_token", PackageResources.read_by_account_token_sql)
    static let readByTransaction = read("read_by_transaction", PackageResources.read_by_transaction_sql)
    static let readCatalogs = read("read_catalogs", PackageResources.read_catalogs_sql)
    static let readBatch = read("read_batch", PackageResources.read_batch_sql)
    static let readTouches = read("read_touches", PackageResources.read_touches_sql)

    static let loadRenderings = read("load_renderings", PackageResources.load_renderings_sql)
    static let writeRenderings = write("write_renderings", PackageResources.write_renderings_sql)
    static let closeEntries = write("close_entries", PackageResources.close_entries_sql)
    static let openEntries = write("open_entries", PackageResources.open_entries_sql)

    static let writeRevocationCounts = write(
        "write_revocation_counts",
        PackageResources.write_revocation_counts_sql
    )
    static let readRevocationCounts = read("read_revocation_counts", PackageResources.read_revocation_counts_sql)
    static let writePurchaseDates = write("write_purchase_dates", PackageResources.write_purchase_dates_sql)
    static let findPurchases = read("find_purchases", PackageResources.find_purchases_sql)
    static let findRecordedTransactions = read(
        "find_recorded_transactions",
        PackageResources.find_recorded_transactions_sql
    )
    static let readFirstRecordings = read("read_first_recordings", PackageResources.read_first_recordings_sql)

    static let findReportedLines = read("find_reported_lines", PackageResources.find_reported_lines_sql)
    static let findUsedKeys = read("find_used_keys", PackageResources.find_used_keys_sql)
    static let writeUsages = write("write_usages", PackageResources.write_usages_sql)

    static func read(_ name: String, _ bytes: [UInt8]) -> Statement {
        Statement(name: name, sql: String(decoding: bytes, as: UTF8.self), isReadOnly: true)
    }

    static func write(_ name: String, _ bytes: [UInt8]) -> Statement {
        Statement(name: name, sql: String(decoding: bytes, as: UTF8.self))
    }
}

/// Which set of projection tables a statement works on.
package enum ProjectionSchema: String, Sendable, Hashable {
    /// What the daemon answers from.
    case live = "projection"
    /// What a rebuild folds beside it.
    case next = "projection_next"
}

extension Statement {
    /// The same statement on another set of tables: its text names the live ones.
    func on(_ schema: ProjectionSchema) -> Statement {
        guard schema != .live else { return self }
        let text = sql.split(separator: "projection.", omittingEmptySubsequences: false)
            .joined(separator: "\(schema.rawValue).")
        return Statement(name: "\(schema.rawValue)_\(name)", sql: text, isReadOnly: isReadOnly)
    }
}
