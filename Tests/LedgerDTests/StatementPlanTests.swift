import Foundation
import Postgres
import TestSupport
import Testing

@testable import LedgerD

/// Every statement of ours that reads a table which grows does so by an index, and into the index by its first column.
///
/// On an empty database without statistics, where a plan is made for good by whoever starts first: there every index
/// looks as cheap as any other, and a join over the wrong one reads the whole of it for each row.
@Suite(.database)
struct StatementPlanTests {
    /// Tables of one row, or of a few that are all wanted.
    private static let smallTables: Set = [
        "head", "cursors", "migrations", "header_segments", "tokens", "revocation_counts",
    ]

    /// Calls of functions, and scripts of the owner: no query with a plan of its own.
    ///
    /// Statements of a rebuild (`rebuild_…`) read tables that only it has, from end to end.
    private static let unplanned: Set = [
        "append", "append_catalog", "announce_progress", "intern_header", "prepare_rebuild", "switch_rebuild",
    ]

    @Test(arguments: ["EventStore", "Projections"])
    func `each read of a table descends an index`(module: String) async throws {
        let files = try Self.statements(of: module)
        #expect(files.count > 5)
        let session = DaemonSessions.folding(TestDatabase.current.configuration)
        try await TestDatabase.current.run { owner throws in
            let leading = try Self.leadingColumns(owner)
            // All rows may be of one environment: to descend by it is to read everything.
            let ofEnvironments = leading.filter { $0.value == "environment" }.map(\.key)
            #expect(ofEnvironments.allSatisfy { index in Self.smallTables.contains { index.hasPrefix($0) } })
            let connection = try Connection(session)
            defer { connection.close() }
            for (name, sql) in files where !Self.unplanned.contains(name) && !name.hasPrefix("rebuild_") {
                let parameters = Self.parameterCount(sql)
                try connection.execute("PREPARE \(name) AS \(sql)")
                let values =
                    parameters == 0 ? "" : "(\(Array(repeating: "NULL", count: parameters).joined(separator: ", ")))"
                let plan = try Self.plan(connection, "EXPLAIN (FORMAT JSON) EXECUTE \(name)\(values)")
                for node in plan {
                    for problem in node.problems(leading, small: Self.smallTables) {
                        Issue.record("\(module)/SQL/\(name).sql: \(problem)")
                    }
                }
            }
        }
    }

    /// The statements of a module by the name of their file.
    private static func statements(of module: String) throws -> [(name: String, sql: String)] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/\(module)/SQL")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "sql" }
            .map { ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
            .sorted { $0.name < $1.name }
    }

    private static func parameterCount(_ sql: String) -> Int {
        let code = sql.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
        return code.matches(of: /\$(\d+)/).compactMap { Int($0.1) }.max() ?? 0
    }

    /// The first column of each index.
    private static func leadingColumns(_ owner: Connection) throws -> [String: String] {
        let rows = try owner.query(
            Statement(
                name: "leading_columns",
                sql: """
                    SELECT c.relname::text, pg_get_indexdef(i.indexrelid, 1, true)
                    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                    WHERE c.relnamespace IN ('ledger'::regnamespace, 'projection'::regnamespace)
                    """,
                isReadOnly: true
            )
        )
        var columns: [String: String] = [:]
        for row in rows.indices { columns[rows.text(row, 0)] = rows.text(row, 1) }
        return columns
    }

    private static func plan(_ connection: Connection, _ sql: String) throws -> [PlanNode] {
        let rows = try connection.query(Statement(name: "plan_of_\(sql.hashValue)", sql: sql, isReadOnly: true), [])
        let roots = try JSONDecoder().decode([PlanRoot].self, from: Data(rows.text(0, 0).utf8))
        return roots.flatMap(\.plan.all)
    }
}

private struct PlanRoot: Decodable {
    let plan: PlanNode
    enum CodingKeys: String, CodingKey { case plan = "Plan" }
}

/// A node of a plan, as EXPLAIN tells it.
private struct PlanNode: Decodable {
    let type: String
    let table: String?
    let index: String?
    let indexCondition: String?
    let relationship: String?
    let children: [PlanNode]?

    enum CodingKeys: String, CodingKey {
        case type = "Node Type"
        case table = "Relation Name"
        case index = "Index Name"
        case indexCondition = "Index Cond"
        case relationship = "Parent Relationship"
        case children = "Plans"
    }

    /// The node and all beneath it.
    var all: [PlanNode] { [self] + (children ?? []).flatMap(\.all) }

    /// What is wrong with how this node reads its table.
    func problems(_ leading: [String: String], small: Set<String>) -> [String] {
        if let table, small.contains(table) { return [] }
        // Asked once, whether there is any row at all: it ends with the first.
        if relationship == "InitPlan", indexCondition == nil, type != "Seq Scan" { return [] }
        if type == "Seq Scan", let table { return ["reads all of \(table)"] }
        guard let index, let column = leading[index] else { return [] }
        guard let indexCondition, indexCondition.contains(column) else {
            return ["goes through all of \(index), not down by \(column): \(indexCondition ?? "no condition")"]
        }
        return []
    }
}
