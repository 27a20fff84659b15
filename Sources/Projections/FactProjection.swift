package import EventStore
package import LedgerCore
package import Postgres

/// The projection "facts": folds events into the fact tables, together with its cursor in one transaction.
///
/// The fold and the merge are LedgerCore's; SQL only carries facts in and out. The lock on the cursor's row keeps any
/// other follower out until the commit, so what was read is what is written over.
package struct FactProjection {
    /// The cursor's name in `projection.cursors`.
    package static let name = "facts"
    /// Events folded in one transaction.
    package static let batchMax = 1000

    /// What a step did.
    package enum Step: Sendable, Hashable {
        /// Folded up to this position; `isCaughtUp` when the log had no more.
        case advanced(to: Position, isCaughtUp: Bool)
        /// Nothing to fold; the cursor stands here.
        case idle(at: Position)
        /// Another follower is folding.
        case busy
    }

    private let connection: Connection
    private let schema: ProjectionSchema

    package init(_ connection: Connection, schema: ProjectionSchema = .live) {
        self.connection = connection
        self.schema = schema
    }

    /// Folds the next events, at most ``batchMax``, up to the first one that cannot be read.
    /// - Parameter discovered: called after the commit with refunds and other revocations that are believed for the
    ///   first time, when there are any.
    /// - Returns: what was done.
    /// - Throws: ``EventStoreError``, or ``LogCorruption`` naming the event behind the cursor that cannot be read.
    package func step(discovered: ([RegisterEntry]) -> Void = { _ in }) throws -> Step {
        var corruption: LogCorruption?
        var entries: [RegisterEntry] = []
        let step = try eventStoreErrors { () throws(PostgresError) in
            try connection.transaction { tx throws(PostgresError) -> Step in
                let cursor = try tx.query(Statements.lockCursor.on(schema), [.text(Self.name)])
                guard !cursor.isEmpty else { return .busy }
                let from = Position(cursor.int64(0, 0))
                let page = try page(after: from, in: tx)
                guard let last = page.events.last?.event.position else {
                    corruption = page.corruption
                    return .idle(at: from)
                }
                let folded: (writes: [Query], discovered: [RegisterEntry])
                do {
                    folded = try fold(page.events, from: from, to: last, hasUsages: cursor.bool(0, 1), in: tx)
                } catch let error as PostgresError {
                    throw error
                } catch let error as LogCorruption {
                    corruption = error
                    return .idle(at: from)
                } catch {
                    preconditionFailure("folding events failed with \(error)")
                }
                let rows = try tx.commit(after: folded.writes)
                precondition(rows.last?.affectedRows == 1, "a locked cursor was moved by somebody else")
                entries = folded.discovered
                return .advanced(
                    to: last,
                    isCaughtUp: page.events.count < Self.batchMax && page.corruption == nil
                )
            }
        }
        if !entries.isEmpty { discovered(entries) }
        if let corruption { throw corruption }
        return step
    }

    /// The next events, up to the first one that cannot be read.
    private func page(
        after from: Position,
        in tx: borrowing Transaction
    ) throws(PostgresError) -> (events: [StoredEvent], corruption: LogCorruption?) {
        var limit = Self.batchMax
        var corruption: LogCorruption?
        while limit > 0 {
            do {
                return (try EventReader.events(after: from, limit: limit, in: tx), corruption)
            } catch let error as PostgresError {
                throw error
            } catch let error as LogCorruption {
                corruption = error
                limit = Int(error.position.rawValue - from.rawValue) - 1
            } catch {
                preconditionFailure("reading events failed with \(error)")
            }
        }
        return ([], corruption)
    }

    /// Folds events up to a position, in a running transaction that nobody else disturbs.
    /// - Parameters:
    ///   - last: how far; nothing is done when the projection is there or further.
    ///   - tx: the transaction, which holds the cursor's row or is the only one that knows the tables.
    /// - Returns: where the projection stands.
    /// - Throws: `PostgresError`, or ``LogCorruption`` naming an event that no version of ours wrote.
    @discardableResult
    func catchUp(to last: Position, in tx: borrowing Transaction) throws -> Position {
        while true {
            let cursor = try tx.query(Statements.readCursor.on(schema), [.text(Self.name)])
            let from = Position(cursor.int64(0, 0))
            guard from < last else { return from }
            let limit = min(Int64(Self.batchMax), last.rawValue - from.rawValue)
            let events = try EventReader.events(after: from, limit: Int(limit), in: tx)
            guard let reached = events.last?.event.position else { return from }
            let folded = try fold(events, from: from, to: reached, hasUsages: cursor.bool(0, 2), in: tx)
            _ = try tx.pipeline(folded.writes)
        }
    }

    /// How far the projection has come.
    package func position() throws(EventStoreError) -> Position { try cursor().position }

    /// How far the projection has come, and the newest catalog up to there; ``Position/start`` for none.
    func cursor() throws(EventStoreError) -> (position: Position, catalog: Position) {
        try eventStoreErrors { () throws(PostgresError) in
            let rows = try connection.query(Statements.readCursor.on(schema), [.text(Self.name)])
            return (Position(rows.int64(0, 0)), Position(rows.int64(0, 1)))
        }
    }

    /// What the tables hold of the facts that a batch touches: whole lines, and the customers beside them.
    private func load(_ touched: FactSet, in tx: borrowing Transaction) throws(PostgresError) -> HeldFacts {
        // Every transaction and renewal info of the batch names its line.
        let lines = Array(touched.lines.keys)
        let transactions = Array(touched.transactions.keys)
        let rows = try tx.pipeline([
            Query(
                Statements.loadTouchedLines.on(schema),
                [
                    .int2Array(lines.map(\.environment.code)), .textArray(lines.map(\.id.rawValue)),
                    .int2Array(transactions.map(\.environment.code)), .textArray(transactions.map(\.id.rawValue)),
                ]
            ),
            AppTransactionTable.loadQuery(Array(touched.appTransactions.keys), schema),
            ConsentTable.loadQuery(Array(touched.consents.keys), schema),
        ])
        return HeldFacts(
            lines: LineTable.decodeAll(rows[0]),
            appTransactions: AppTransactionTable.decodeAll(rows[1]),
            consents: ConsentTable.decodeAll(rows[2])
        )
    }

    /// Folds events over what the tables hold; `hasUsages` tells whether they hold reports of used units.
    /// - Returns: the writes, the last of which moves the cursor; and the revocations that are new.
    private func fold(
        _ events: [StoredEvent],
        from: Position,
        to: Position,
        hasUsages: Bool,
        in tx: borrowing Transaction
    ) throws -> (writes: [Query], discovered: [RegisterEntry]) {
        var facts = FactSet()
        var registers = RegisterFold(schema)
        var purchases = PurchaseDates()
        let usages = UsageFold(schema)
        for event in events {
            guard let rendering = facts.fold(event.event), let environment = event.event.environment else { continue }
            registers.note(rendering, in: environment)
            purchases.note(rendering.fact, in: environment)
        }
        try usages.markReported(&facts, in: tx)
        if hasUsages { try usages.markLinesOfHeldReports(&facts, in: tx) }
        let held = try load(facts, in: tx)
        held.merge(into: &facts)
        for (environment, line) in held.lines {
            for transaction in line.transactions { purchases.leaveOut(transaction, in: environment) }
        }
        let lines = facts.lineFacts
        let moved = held.transactionsOnOtherLines(in: facts)
        let changes = try registers.changes(facts, moved: moved, lineBefore: held.line(of:), upTo: from, in: tx)
        let keys = facts.lineKeys.subtracting(held.lineKeys)
        let writes = [
            moved.isEmpty ? nil : writeQuery(moved),
            lines.isEmpty ? nil : LineTable.writeQuery(lines, schema),
            facts.appTransactions.isEmpty ? nil : AppTransactionTable.writeQuery(facts.appTransactions, schema),
            facts.consents.isEmpty ? nil : ConsentTable.writeQuery(facts.consents, schema),
            keys.isEmpty ? nil : writeQuery(Array(keys)), purchases.query(schema), usages.write(facts),
        ].compactMap { $0 }
        let catalog = events.last { $0.event.kind == .catalog }?.event.position.rawValue
        let move = Query(
            Statements.moveCursor.on(schema),
            [.text(Self.name), .int8(from.rawValue), .int8(to.rawValue), .int8(orNull: catalog)]
        )
        return (writes + changes.writes + [move], changes.discovered)
    }

    private func writeQuery(_ lines: [FactKey<TransactionID>: OriginalTransactionID]) -> Query {
        let rows = Array(lines)
        return Query(
            Statements.writeTransactionLines.on(schema),
            [
                .int2Array(rows.map { $0.key.environment.code }), .textArray(rows.map { $0.key.id.rawValue }),
                .textArray(rows.map { $0.value.rawValue }),
            ]
        )
    }

    private func writeQuery(_ keys: [LineKey]) -> Query {
        Query(
            Statements.writeLineKeys.on(schema),
            [
                .int2Array(keys.map { $0.environment.code }), .int2Array(keys.map { $0.kind.rawValue }),
                .textArray(keys.map { $0.value }), .textArray(keys.map { $0.line.rawValue }),
            ]
        )
    }
}

/// What the tables hold of the facts that a batch touches.
private struct HeldFacts {
    var lines: [(environment: StoreEnvironment, fact: LineFacts)]
    var appTransactions: [(environment: StoreEnvironment, fact: AppTransactionFact)]
    var consents: [(environment: StoreEnvironment, fact: RescindedConsent)]

    func merge(into facts: inout FactSet) {
        for row in lines { for member in row.fact.members(in: row.environment) { facts.merge(member) } }
        for row in appTransactions { facts.merge(.appTransaction(row.fact, row.environment)) }
        for row in consents { facts.merge(.consent(row.fact, row.environment)) }
    }

    /// The transactions that are new, or belong to another line than the tables say: nearly all stay where they are.
    func transactionsOnOtherLines(in facts: FactSet) -> [FactKey<TransactionID>: OriginalTransactionID] {
        var found = facts.transactions.mapValues { $0.originalTransactionID }
        for row in lines {
            for transaction in row.fact.transactions {
                let key = FactKey(row.environment, transaction.transactionID)
                if found[key] == transaction.originalTransactionID { found[key] = nil }
            }
        }
        return found
    }

    /// The line that a transaction was in; nil for one that the tables do not hold.
    func line(of transaction: FactKey<TransactionID>) -> OriginalTransactionID? {
        let row = lines.first { row in
            row.environment == transaction.environment
                && row.fact.transactions.contains { $0.transactionID == transaction.id }
        }
        return row?.fact.line.originalTransactionID
    }

    /// The keys that the tables remember of these lines for certain: those that the lines name now.
    var lineKeys: Set<LineKey> {
        var keys: Set<LineKey> = []
        for (environment, fact) in lines {
            func note(_ kind: LineKey.Kind, _ value: String?) {
                guard let value else { return }
                keys.insert(
                    LineKey(environment: environment, kind: kind, value: value, line: fact.line.originalTransactionID)
                )
            }
            note(.appTransactionID, fact.line.appTransactionID?.value.rawValue)
            note(.appAccountToken, fact.line.purchaseToken?.value.rawValue)
            note(.appAccountToken, fact.line.renewalToken?.value.rawValue)
        }
        return keys
    }
}

extension LineFacts {
    /// The facts one by one, to be merged into others.
    fileprivate func members(in environment: StoreEnvironment) -> [FactSet.Member] {
        [.line(line, environment)] + transactions.map { .transaction($0, environment) }
            + (renewal.map { [.renewal($0, environment)] } ?? [])
    }
}
