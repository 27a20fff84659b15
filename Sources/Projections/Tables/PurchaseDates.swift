import LedgerCore
import Postgres

/// The dates of purchases of a batch, for `projection.purchase_dates`: a set, so any order and any number of the same
/// renderings give the same rows.
struct PurchaseDates {
    private struct Row: Hashable {
        var environment: StoreEnvironment
        var date: Instant
        var transaction: TransactionID
        var line: OriginalTransactionID
    }

    private var rows: Set<Row> = []

    /// Notes what a rendering states; only what somebody was charged for counts.
    mutating func note(_ fact: TransactionFact, in environment: StoreEnvironment) {
        if let row = Self.row(fact, environment) { rows.insert(row) }
    }

    /// Leaves out what a fact of the tables states: its rendering wrote the same row.
    mutating func leaveOut(_ fact: TransactionFact, in environment: StoreEnvironment) {
        if let row = Self.row(fact, environment) { rows.remove(row) }
    }

    private static func row(_ fact: TransactionFact, _ environment: StoreEnvironment) -> Row? {
        guard fact.ownershipType?.known == .purchased else { return nil }
        return Row(
            environment: environment,
            date: fact.effectivePurchaseDate,
            transaction: fact.transactionID,
            line: fact.originalTransactionID
        )
    }

    /// The write; nil when there is nothing new.
    func query(_ schema: ProjectionSchema) -> Query? {
        rows.isEmpty ? nil : Query(Statements.writePurchaseDates.on(schema), columns)
    }

    /// One array a column, in the order of the table.
    var columns: [Parameter] {
        let rows = Array(rows)
        return [
            .int2Array(rows.map(\.environment.code)), .int8Array(rows.map(\.date.milliseconds)),
            .textArray(rows.map(\.transaction.rawValue)), .textArray(rows.map(\.line.rawValue)),
        ]
    }
}
