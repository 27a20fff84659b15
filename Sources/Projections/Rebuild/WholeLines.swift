import EventStore
import LedgerCore
import Postgres

/// The fold of lines of which every event is at hand: whatever it gives is final, and is written once, into tables that
/// hold nothing of these lines.
struct WholeLines {
    private var facts = FactSet()
    private var purchases = PurchaseDates()
    /// In the order of the log within each line.
    private var arrivals: [(key: FactKey<TransactionID>, rendering: RegisterRendering)] = []

    /// Takes events in: those of one line in the order of the log.
    mutating func take(_ events: some Sequence<StoredEvent>) {
        for event in events.lazy.map(\.event) {
            guard let rendering = facts.fold(event), let environment = event.environment else { continue }
            purchases.note(rendering.fact, in: environment)
            arrivals.append((FactKey(environment, rendering.fact.transactionID), rendering))
        }
    }

    /// Writes all rows, in a transaction of their own.
    func write(on connection: Connection) throws(PostgresError) {
        try connection.transaction { tx throws(PostgresError) in
            try Self.copy(LineTable.columns(facts.lineFacts), to: "lines", tx)
            let transactions = facts.transactions.map { (key: $0.key, line: $0.value.originalTransactionID) }
            try Self.copy(TransactionLineTable.columns(transactions), to: "transaction_lines", tx)
            try Self.copy(purchases.columns, to: "purchase_dates", tx)
            try Self.copy(LineKeyTable.columns(facts.lineKeys), to: "line_keys", tx)
            if !facts.appTransactions.isEmpty {
                try Self.copy(AppTransactionTable.columns(facts.appTransactions), to: "app_transactions", tx)
            }
            if !facts.usages.isEmpty {
                try Self.copy(UsageFold.columns(facts.usages), to: "usages (\(UsageFold.columnNames))", tx)
            }
            var writes = RegisterFold(.next).writes(of: registered)
            if !facts.consents.isEmpty { writes.append(consents) }
            try tx.commit(after: writes)
        }
    }

    private static func copy(
        _ columns: [Parameter],
        to table: String,
        _ tx: borrowing Transaction
    ) throws(PostgresError) {
        _ = try tx.copyIn(rows: "COPY projection_next.\(table) FROM STDIN (FORMAT binary)") {
            rows throws(PostgresError) in
            try rows.append(columns: columns)
        }
    }

    /// All renderings of the transactions that were ever revoked.
    private var registered: [FactKey<TransactionID>: [RegisterRendering]] {
        let revoked = Set(arrivals.lazy.filter(\.rendering.isRevoked).map(\.key))
        guard !revoked.isEmpty else { return [:] }
        let renderings = arrivals.filter { revoked.contains($0.key) }
        return Dictionary(grouping: renderings, by: \.key).mapValues { $0.map(\.rendering) }
    }

    /// In the order of their keys, because another thread may write of the same customers.
    private var consents: Query {
        let rows = facts.consents.sorted { $0.key < $1.key }.map { (key: $0.key, fact: $0.value) }
        return Query(RebuildScripts.writeConsents, ConsentTable.columns(rows))
    }
}
