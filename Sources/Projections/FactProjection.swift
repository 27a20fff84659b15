import EventStore
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
    /// - Throws: ``EventStoreError``; ``LogCorruption`` naming the event behind the cursor that cannot be read;
    ///   ``ShapeMismatch``.
    package func step(discovered: ([RegisterEntry]) -> Void = { _ in }) throws -> Step {
        var corruption: LogCorruption?
        var mismatch: ShapeMismatch?
        var entries: [RegisterEntry] = []
        let step = try eventStoreErrors { () throws(PostgresError) in
            try connection.transaction { tx throws(PostgresError) -> Step in
                let rows = try tx.query(
                    Statements.lockPage.on(schema),
                    [.text(Self.name), .int8(Int64(Self.batchMax))]
                )
                guard !rows.isEmpty else { return .busy }
                let from = Position(rows.int64(0, Self.cursorColumn))
                do throws(ShapeMismatch) {
                    try ProjectionShape.check(rows.int16(0, Self.cursorColumn + 2), at: from)
                } catch {
                    mismatch = error
                    return .idle(at: from)
                }
                let page = try page(rows, after: from, in: tx)
                guard let last = page.events.last?.event.position else {
                    corruption = page.corruption
                    return .idle(at: from)
                }
                let folded: (writes: [Query], discovered: [RegisterEntry])
                do {
                    folded = try fold(page.events, from: from, hasUsages: rows.bool(0, Self.cursorColumn + 1), in: tx)
                } catch let error as PostgresError {
                    throw error
                } catch let error as LogCorruption {
                    corruption = error
                    return .idle(at: from)
                } catch {
                    preconditionFailure("folding events failed with \(error)")
                }
                let moved = try tx.commit(after: folded.writes + [move(past: page.events, from: from)])
                precondition(moved.last?.affectedRows == 1, "a locked cursor was moved by somebody else")
                entries = folded.discovered
                return .advanced(
                    to: last,
                    isCaughtUp: page.events.count < Self.batchMax && page.corruption == nil
                )
            }
        }
        if !entries.isEmpty { discovered(entries) }
        if let mismatch { throw mismatch }
        if let corruption { throw corruption }
        return step
    }

    /// Of `lock_page.sql`: behind the columns of an event.
    private static let cursorColumn = 22

    /// The events of a page, up to the first one that cannot be read.
    private func page(
        _ rows: Rows,
        after from: Position,
        in tx: borrowing Transaction
    ) throws(PostgresError) -> (events: [StoredEvent], corruption: LogCorruption?) {
        if rows.isNull(0, 0) { return ([], nil) }
        var corruption: LogCorruption?
        do throws(LogCorruption) { return (try StoredEvent.page(rows, after: from), nil) } catch { corruption = error }
        while let found = corruption {
            let limit = Int(found.position.rawValue - from.rawValue) - 1
            guard limit > 0 else { break }
            do { return (try EventReader.events(after: from, limit: limit, in: tx), found) } catch let error
                as PostgresError
            {
                throw error
            } catch let error as LogCorruption {
                corruption = error
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
    /// - Throws: `PostgresError`; ``LogCorruption`` naming an event that no version of ours wrote; ``ShapeMismatch``.
    @discardableResult
    func catchUp(to last: Position, in tx: borrowing Transaction) throws -> Position {
        while true {
            let cursor = try tx.query(Statements.readCursor.on(schema), [.text(Self.name)])
            let from = Position(cursor.int64(0, 0))
            try ProjectionShape.check(cursor.int16(0, 3), at: from)
            guard from < last else { return from }
            let limit = min(Int64(Self.batchMax), last.rawValue - from.rawValue)
            let events = try EventReader.events(after: from, limit: Int(limit), in: tx)
            guard !events.isEmpty else { return from }
            let folded = try fold(events, from: from, hasUsages: cursor.bool(0, 2), in: tx)
            _ = try tx.pipeline(folded.writes + [move(past: events, from: from)])
        }
    }

    /// How far the projection has come.
    /// - Throws: ``EventStoreError``; ``ShapeMismatch`` when its tables are not to be read by this program.
    package func position() throws -> Position { try cursor().position }

    /// How far the projection has come, and the newest catalog up to there; ``Position/start`` for none.
    /// - Throws: ``EventStoreError``; ``ShapeMismatch`` when its tables are not to be read by this program.
    func cursor() throws -> (position: Position, catalog: Position) {
        let rows = try connection.read(Statements.readCursor.on(schema), [.text(Self.name)])
        let position = Position(rows.int64(0, 0))
        try ProjectionShape.check(rows.int16(0, 3), at: position)
        return (position, Position(rows.int64(0, 1)))
    }

    /// What the tables hold of the facts that a batch touches: whole lines, and the customers beside them.
    private func load(_ touched: FactSet, in tx: borrowing Transaction) throws(PostgresError) -> HeldFacts {
        let rows = try tx.pipeline([
            LineTable.loadTouchedQuery(touched, schema),
            AppTransactionTable.loadQuery(Array(touched.appTransactions.keys), schema),
            ConsentTable.loadQuery(Array(touched.consents.keys), schema),
        ])
        return HeldFacts(
            lines: LineTable.decodeAll(rows[0]),
            appTransactions: AppTransactionTable.decodeAll(rows[1]),
            consents: ConsentTable.decodeAll(rows[2])
        )
    }

    /// Folds events over what the tables hold.
    /// - Parameters:
    ///   - events: in the order of the log.
    ///   - from: up to where the tables hold what the log says about the same lines.
    ///   - hasUsages: whether the tables hold reports of used units.
    ///   - tx: the transaction that reads; nobody else may write to the tables until its end.
    /// - Returns: the writes, and the revocations that are new.
    /// - Throws: `PostgresError`, or ``LogCorruption`` naming an event that no version of ours wrote.
    func fold(
        _ events: [StoredEvent],
        from: Position,
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
        if hasUsages { try usages.markByHeldReports(&facts, in: tx) }
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
            moved.isEmpty ? nil : TransactionLineTable.writeQuery(moved.map { ($0.key, $0.value) }, schema),
            lines.isEmpty ? nil : LineTable.writeQuery(lines, schema),
            facts.appTransactions.isEmpty ? nil : AppTransactionTable.writeQuery(facts.appTransactions, schema),
            facts.consents.isEmpty ? nil : ConsentTable.writeQuery(facts.consents, schema),
            keys.isEmpty ? nil : LineKeyTable.writeQuery(keys, schema), purchases.query(schema), usages.write(facts),
        ].compactMap { $0 }
        return (writes + changes.writes, changes.discovered)
    }

    /// The move of the cursor over events.
    private func move(past events: [StoredEvent], from: Position) -> Query {
        let to = events.last?.event.position ?? from
        let catalog = events.last { $0.event.kind == .catalog }?.event.position.rawValue
        return Query(
            Statements.moveCursor.on(schema),
            [
                .text(Self.name), .int8(from.rawValue), .int8(to.rawValue), .int8(orNull: catalog),
                .int2(ProjectionShape.current),
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
        for row in lines { facts.merge(row.fact, in: row.environment) }
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
