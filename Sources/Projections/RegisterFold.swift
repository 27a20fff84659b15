import EventStore
import LedgerCore
import Postgres

/// The registers' part of a step of ``FactProjection``: which rows a batch closes and which it opens.
///
/// A transaction gets a row of its renderings with its first revocation, and what was recorded before is read from the
/// log then. One that is never revoked costs a look at its fact and nothing in the database.
struct RegisterFold {
    private typealias Key = FactKey<TransactionID>

    /// What a batch changes in the registers.
    struct Changes {
        /// Empty for nearly every batch.
        var writes: [Query] = []
        /// Refunds and other revocations that are believed for the first time.
        var discovered: [RegisterEntry] = []
    }

    private let schema: ProjectionSchema
    /// In the order of the log.
    private var arrivals: [(key: FactKey<TransactionID>, rendering: RegisterRendering)] = []

    init(_ schema: ProjectionSchema) { self.schema = schema }

    /// Takes a rendering of the batch.
    mutating func note(_ rendering: RegisterRendering, in environment: StoreEnvironment) {
        arrivals.append((FactKey(environment, rendering.fact.transactionID), rendering))
    }

    /// What the batch changes in the tables of the registers.
    /// - Parameters:
    ///   - facts: the facts after the batch.
    ///   - moved: transactions that are new, or change their line.
    ///   - lineBefore: the line that a transaction was in before the batch.
    ///   - from: where the cursor stands.
    ///   - tx: the transaction of the step.
    /// - Returns: the changes; none for nearly every batch.
    /// - Throws: `PostgresError`, or ``LogCorruption`` naming an event that no version of ours wrote.
    func changes(
        _ facts: FactSet,
        moved: [FactKey<TransactionID>: OriginalTransactionID],
        lineBefore: (FactKey<TransactionID>) -> OriginalTransactionID?,
        upTo from: Position,
        in tx: borrowing Transaction
    ) throws -> Changes {
        // A transaction with one rendering, which is not revoked: nearly every one.
        let notable = arrivals.filter { arrival in
            arrival.rendering.isRevoked || (facts.transactions[arrival.key]?.versions ?? 0) > 1
        }
        guard !notable.isEmpty else { return Changes() }
        let batch = Dictionary(grouping: notable, by: \.key).mapValues { $0.map(\.rendering) }
        var registers = try held(Array(batch.keys), in: tx)
        var earlier: [(key: Key, line: OriginalTransactionID)] = []
        for (key, renderings) in batch where registers[key] == nil {
            guard let fact = facts.transactions[key] else { continue }
            let wasKnown = fact.versions > renderings.count
            // One that is seen on two lines keeps a row as well: the log finds renderings by their line.
            let isOnTwoLines =
                renderings.contains { $0.fact.originalTransactionID != fact.originalTransactionID }
                || wasKnown && moved[key] != nil
            guard isOnTwoLines || renderings.contains(where: \.isRevoked) else { continue }
            registers[key] = TransactionRegister()
            if wasKnown, let line = lineBefore(key) { earlier.append((key, line)) }
        }
        for (key, register) in try read(earlier, upTo: from, in: tx) { registers[key] = register }
        return changes(of: batch, onto: registers)
    }

    /// The writes of transactions of which the tables hold nothing, and whose renderings are all at hand, in the order of
    /// the log.
    func writes(of renderings: [FactKey<TransactionID>: [RegisterRendering]]) -> [Query] {
        changes(of: renderings, onto: renderings.mapValues { _ in TransactionRegister() }).writes
    }

    private func changes(of batch: [Key: [RegisterRendering]], onto registers: [Key: TransactionRegister]) -> Changes {
        guard !registers.isEmpty else { return Changes() }
        var changes = Changes()
        var after: [(key: Key, register: TransactionRegister)] = []
        var rows = RegisterRows()
        var counts = RevocationCounts()
        for (key, var register) in registers {
            counts.remove(register, in: key.environment)
            var entries = BelievedRegister()
            for rendering in batch[key] ?? [] {
                let change = register.take(rendering)
                rows.close(change, in: key.environment, unless: entries)
                entries.apply(change)
                changes.discovered += change.discovered
            }
            rows.open(entries.rows, in: key.environment)
            counts.add(register, in: key.environment)
            after.append((key, register))
        }
        changes.writes =
            [RegisterRows.writeQuery(after, schema)] + rows.queries(schema) + [counts.query(schema)]
        return changes
    }

    /// The registers that have a row.
    private func held(_ keys: [Key], in tx: borrowing Transaction) throws(PostgresError) -> [Key: TransactionRegister] {
        let rows = try tx.query(
            Statements.loadRenderings.on(schema),
            [.int2Array(keys.map(\.environment.code)), .textArray(keys.map(\.id.rawValue))]
        )
        var registers: [Key: TransactionRegister] = [:]
        for row in rows.indices {
            guard let environment = StoreEnvironment(code: rows.int16(row, 0)) else { continue }
            registers[FactKey(environment, TransactionID(rawValue: rows.text(row, 1)))] = rows.withBytes(row, 2) {
                span in
                unsafe span.withUnsafeBufferPointer { unsafe TransactionRegister(packed: $0) }
            }
        }
        return registers
    }

    /// The registers of transactions that had none, from the log.
    private func read(
        _ transactions: [(key: FactKey<TransactionID>, line: OriginalTransactionID)],
        upTo position: Position,
        in tx: borrowing Transaction
    ) throws -> [FactKey<TransactionID>: TransactionRegister] {
        guard !transactions.isEmpty else { return [:] }
        var renderings: [Key: [RegisterRendering]] = [:]
        for event in try EventReader.renderings(of: transactions, upTo: position, in: tx).map(\.event) {
            guard let rendering = RegisterRendering(event), let environment = event.environment else { continue }
            renderings[FactKey(environment, rendering.fact.transactionID), default: []].append(rendering)
        }
        return renderings.mapValues { TransactionRegister($0) }
    }
}

extension RegisterChange {
    /// Refunds and other revocations that this very rendering brought.
    ///
    /// What it only puts in other words was recorded before.
    fileprivate var discovered: [RegisterEntry] {
        opened.filter { entry in
            (entry.kind == .refund || entry.kind == .revocation) && entry.discovery.position == position
        }
    }
}
