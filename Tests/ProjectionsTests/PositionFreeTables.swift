import LedgerCore
import Postgres
import TestSupport

@testable import Projections

/// What the tables hold without positions, which are each log's own: equal for two logs of the same documents.
struct PositionFreeTables: Equatable {
    /// The facts of all lines and customers.
    let facts: FactSet
    private let lines: [FactKey<OriginalTransactionID>: [UInt8]]
    private let keys: Set<LineKey>

    init(_ harness: ProjectionHarness) throws {
        let log = try harness.foldedLog()
        var facts = FactSet()
        for member in try harness.loadTables(log).members { facts.merge(member.withoutPosition) }
        self.facts = facts
        lines = facts.packedLines
        keys = try harness.lineKeys()
    }

    static func == (left: Self, right: Self) -> Bool {
        left.lines == right.lines && left.keys == right.keys
            && left.facts.appTransactions == right.facts.appTransactions
            && left.facts.consents == right.facts.consents
    }
}

extension FactSet.Member {
    fileprivate var withoutPosition: Self {
        switch self {
        case .transaction(var fact, let environment):
            fact.rendering.position = .start
            return .transaction(fact, environment)
        case .renewal(var fact, let environment):
            fact.rendering.position = .start
            return .renewal(fact, environment)
        case .appTransaction(var fact, let environment):
            fact.rendering.position = .start
            return .appTransaction(fact, environment)
        case .usage(var fact, let environment):
            fact.position = .start
            return .usage(fact, environment)
        case .line, .consent: return self
        }
    }
}

extension TestDatabase {
    /// Takes everything out of the log and the tables, past the triggers.
    func emptyLedger() throws {
        let owner = try connect()
        defer { owner.close() }
        try owner.execute(
            """
            SET session_replication_role = replica;
            TRUNCATE ledger.events, projection.transaction_lines, projection.lines, projection.app_transactions,
              projection.consents, projection.line_keys, projection.purchase_dates, projection.revocation_counts,
              projection.register_renderings, projection.register_entries, projection.usages;
            UPDATE ledger.head SET position = 0, recorded_at = 0;
            UPDATE projection.cursors SET position = 0;
            """
        )
    }
}
