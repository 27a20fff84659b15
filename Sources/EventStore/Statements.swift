import Postgres

/// The SQL of the event store, one file each under `SQL/`.
enum Statements {
    static let append = Statement(name: "append", sql: text(PackageResources.append_sql))
    static let internHeader = Statement(name: "intern_header", sql: text(PackageResources.intern_header_sql))
    static let announceProgress = Statement(
        name: "announce_progress",
        sql: text(PackageResources.announce_progress_sql)
    )
    static let appendCatalog = Statement(name: "append_catalog", sql: text(PackageResources.append_catalog_sql))
    static let appendUsage = Statement(name: "append_usage", sql: text(PackageResources.append_usage_sql))
    static let readHead = read("read_head", PackageResources.read_head_sql)
    static let readEvents = read("read_events", PackageResources.read_events_sql)
    static let readPositions = read("read_positions", PackageResources.read_positions_sql)
    static let readLines = read("read_lines", PackageResources.read_lines_sql)
    static let readRenderings = read("read_renderings", PackageResources.read_renderings_sql)
    static let knowsLine = read("knows_line", PackageResources.knows_line_sql)
    static let readRecordedAt = read("read_recorded_at", PackageResources.read_recorded_at_sql)
    static let readFeed = read("read_feed", PackageResources.read_feed_sql)
    static let readFeedOfLines = read("read_feed_of_lines", PackageResources.read_feed_of_lines_sql)
    static let findExcessRights = read("find_excess_rights", PackageResources.find_excess_rights_sql)
    static let readHeaders = read("read_headers", PackageResources.read_headers_sql)

    private static func read(_ name: String, _ bytes: [UInt8]) -> Statement {
        Statement(name: name, sql: text(bytes), isReadOnly: true)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
