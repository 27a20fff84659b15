import LedgerCore
import Postgres

/// Rows of `projection.register_entries` that a batch closes and opens.
struct RegisterRows {
    private var closed: [(environment: StoreEnvironment, id: RegisterEntry.ID, position: Position)] = []
    private var opened: [(environment: StoreEnvironment, row: BelievedEntry)] = []

    /// Notes what a change closes, unless the batch itself opened it.
    mutating func close(_ change: RegisterChange, in environment: StoreEnvironment, unless batch: BelievedRegister) {
        let own = Set(batch.rows.lazy.filter { $0.knownTo == nil }.map(\.entry))
        for entry in change.closed where !own.contains(entry) {
            closed.append((environment, entry.id, change.position))
        }
    }

    /// Notes rows that are new.
    mutating func open(_ rows: [BelievedEntry], in environment: StoreEnvironment) {
        opened += rows.map { (environment, $0) }
    }

    /// The writes: what is closed first, so that at no time two rows of one identity are open.
    func queries(_ schema: ProjectionSchema) -> [Query] {
        var queries: [Query] = []
        if !closed.isEmpty { queries.append(Query(Statements.closeEntries.on(schema), closing)) }
        if !opened.isEmpty { queries.append(Query(Statements.openEntries.on(schema), opening)) }
        return queries
    }

    private var closing: [Parameter] {
        [
            .int2Array(closed.map(\.environment.code)), .textArray(closed.map(\.id.transactionID.rawValue)),
            .int8Array(closed.map(\.id.signedAt.milliseconds)), .textArray(closed.map(\.id.kind.rawValue)),
            .int8Array(closed.map(\.position.rawValue)),
        ]
    }

    private var opening: [Parameter] {
        let rows = opened.map(\.row)
        let entries = rows.map(\.entry)
        let subjects = entries.map(\.subject)
        return [
            .int2Array(opened.map(\.environment.code)),
            .textArray(subjects.map(\.transactionID.rawValue)),
            .int8Array(entries.map(\.statement.signedAt.milliseconds)),
            .textArray(entries.map(\.kind.rawValue)),
            .int8Array(rows.map(\.knownFrom.rawValue)),
            .int8Array(rows.map(\.knownTo?.rawValue)),
            .textArray(subjects.map(\.originalTransactionID.rawValue)),
            .int8Array(entries.map(\.happenedAt.milliseconds)),
            .int8Array(subjects.map(\.purchaseDate?.milliseconds)),
            .int8Array(entries.map(\.discovery.recordedAt.milliseconds)),
            .textArray(subjects.map(\.bundleID?.rawValue)),
            .textArray(subjects.map(\.productID?.rawValue)),
            .textArray(subjects.map(\.currency?.rawValue)),
            .int8Array(entries.map(\.amount?.amount.rawValue)),
            .textArray(entries.map(\.revocationClass?.rawValue)),
            .boolArray(entries.map(\.isForAppProblem)),
            .byteaArray(entries.map(\.packed)),
        ]
    }

    /// The write of transactions' renderings.
    static func writeQuery(
        _ registers: [(key: FactKey<TransactionID>, register: TransactionRegister)],
        _ schema: ProjectionSchema
    ) -> Query {
        Query(
            Statements.writeRenderings.on(schema),
            [
                .int2Array(registers.map(\.key.environment.code)), .textArray(registers.map(\.key.id.rawValue)),
                .byteaArray(registers.map(\.register.packed)),
            ]
        )
    }
}
