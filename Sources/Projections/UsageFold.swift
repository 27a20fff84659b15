import LedgerCore
import Postgres

/// The part of a step of ``FactProjection`` about used units: it keeps whom each report names, and marks the lines that
/// reports are about, whichever of the two came first.
///
/// Reads of lines without the mark cost nothing more; of others the log tells the reports.
struct UsageFold {
    private let schema: ProjectionSchema

    init(_ schema: ProjectionSchema) { self.schema = schema }

    /// Marks the lines that the batch's reports are about: those of the batch, and those that the tables hold.
    func markReported(_ facts: inout FactSet, in tx: borrowing Transaction) throws(PostgresError) {
        let holders = Array(facts.usageHolders)
        guard !holders.isEmpty else { return }
        facts.markUsedLines()
        let rows = try tx.query(Statements.findReportedLines.on(schema), Self.columns(holders))
        Self.mark(rows, in: &facts)
    }

    /// Marks the lines of the batch that held reports are about; asked only where the tables hold any.
    func markLinesOfHeldReports(_ facts: inout FactSet, in tx: borrowing Transaction) throws(PostgresError) {
        let keys = facts.reportableKeys
        let rows = try tx.query(
            Statements.findUsedLines.on(schema),
            Self.columns(keys.map(\.holder)) + [.textArray(keys.map(\.line.rawValue))]
        )
        Self.mark(rows, in: &facts)
    }

    /// The write of the batch's reports; nil without any.
    func write(_ facts: FactSet) -> Query? {
        facts.usages.isEmpty ? nil : Query(Statements.writeUsages.on(schema), Self.columns(facts.usages))
    }

    /// One array a column, in the order of ``columnNames``.
    static func columns(_ usages: [FactKey<IdempotencyKey>: UsageFact]) -> [Parameter] {
        let rows = usages.map { ($0.key, $0.value) }
        return columns(rows.map { UsageHolder($0.environment, $1.usage.holder) }) + [
            .textArray(rows.map(\.0.id.rawValue)), .int8Array(rows.map(\.1.position.rawValue)),
        ]
    }

    /// The columns of `projection.usages` as this fold gives them.
    static let columnNames = "environment, holder_kind, holder, idempotency_key, position"

    /// Marks the lines that rows name: environment, original transaction id.
    static func mark(_ rows: Rows, in facts: inout FactSet) {
        for row in rows.indices {
            guard let environment = StoreEnvironment(code: rows.int16(row, 0)) else { continue }
            facts.markUsed(OriginalTransactionID(rawValue: rows.text(row, 1)), in: environment)
        }
    }

    private static func columns(_ holders: [UsageHolder]) -> [Parameter] {
        [
            .int2Array(holders.map(\.environment.code)), .int2Array(holders.map(\.key.usageKind)),
            .textArray(holders.map(\.key.value)),
        ]
    }
}

extension CustomerKey {
    /// `holder_kind` of `projection.usages`; the first two are those of ``LineKey/Kind``.
    fileprivate var usageKind: Int16 {
        switch self {
        case .appTransactionID: LineKey.Kind.appTransactionID.rawValue
        case .appAccountToken: LineKey.Kind.appAccountToken.rawValue
        case .originalTransactionID: 3
        case .transactionID: 4
        }
    }
}
