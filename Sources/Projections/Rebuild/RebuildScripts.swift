import Postgres

/// The SQL of a rebuild under `SQL/`: scripts of the owner, and statements over tables that only a rebuild has.
enum RebuildScripts {
    static let prepare = text(PackageResources.prepare_rebuild_sql)
    static let switchOver = text(PackageResources.switch_rebuild_sql)
    static let findMovedLines = text(PackageResources.rebuild_find_moved_lines_sql)
    static let removeOwn = "DROP SCHEMA IF EXISTS projection_rebuild CASCADE"
    static let removeAll = "DROP SCHEMA IF EXISTS projection_next CASCADE; \(removeOwn)"

    static let readLogByLine = Statements.read(
        "rebuild_read_log_by_line",
        PackageResources.rebuild_read_log_by_line_sql
    )
    static let findUsedKeys = Statements.read("rebuild_find_used_keys", PackageResources.rebuild_find_used_keys_sql)
    static let readMovedLines = Statements.read(
        "rebuild_read_moved_lines",
        PackageResources.rebuild_read_moved_lines_sql
    )
    static let findMissingEvent = Statements.read(
        "rebuild_find_missing_event",
        PackageResources.rebuild_find_missing_event_sql
    )
    static let listIndexes = Statements.read("rebuild_list_indexes", PackageResources.rebuild_list_indexes_sql)
    static let writeConsents = Statements.write("rebuild_write_consents", PackageResources.rebuild_write_consents_sql)
    static let moveCursor = Statements.write("rebuild_move_cursor", PackageResources.rebuild_move_cursor_sql)

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
