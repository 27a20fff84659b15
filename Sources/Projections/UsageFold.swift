import LedgerCore
import Postgres

/// The part of a step of ``FactProjection`` about used units: it keeps whom each report names, and marks the lines and
/// transactions that reports name, whichever of the two came first.
///
/// A line is marked for good: by its own name, and by every customer's key that was ever seen on it. A transaction takes
/// its mark along when it moves to another line. So marks follow from the set of events alone.
///
/// Reads of lines without a mark cost nothing more; of others the log tells the reports.
struct UsageFold {
    private let schema: ProjectionSchema

    init(_ schema: ProjectionSchema) { self.schema = schema }

    /// Marks what the batch's reports name: in the batch, lines that the tables hold, and transactions that the tables
    /// may hold.
    func markReported(_ facts: inout FactSet, in tx: borrowing Transaction) throws(PostgresError) {
        let holders = Array(facts.usageHolders)
        guard !holders.isEmpty else { return }
        facts.markUsed()
        let rows = try tx.query(Statements.findReportedLines.on(schema), Self.columns(holders))
        Self.mark(rows, in: &facts)
    }

    /// Marks what of the batch held reports name; asked only where the tables hold any.
    func markByHeldReports(_ facts: inout FactSet, in tx: borrowing Transaction) throws(PostgresError) {
        let keys = facts.reportableKeys
        let rows = try tx.query(
            Statements.findUsedKeys.on(schema),
            Self.columns(keys.map(\.holder)) + [.textArray(keys.map(\.line?.rawValue))]
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

    /// Marks what rows name: environment; original transaction id of a line, or null; else transaction id.
    static func mark(_ rows: Rows, in facts: inout FactSet) {
        for row in rows.indices {
            guard let environment = StoreEnvironment(code: rows.int16(row, 0)) else { continue }
            if let line = rows.optionalText(row, 1) {
                facts.markUsed(OriginalTransactionID(rawValue: line), in: environment)
            } else {
                facts.markUsed(TransactionID(rawValue: rows.text(row, 2)), in: environment)
            }
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
