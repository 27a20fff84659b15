package import EventStore
package import LedgerCore
package import Postgres

/// Reads the register of purchases, each payment once, as it was known at a position.
///
/// A table of dates and the log tell where to look; what a line was charged is then judged by its facts as they were
/// known, so a page of the past costs no more than its lines. Blocking, on a connection that the caller owns.
package struct PurchaseReader {
    /// Where a page ends: the next one begins after it.
    package enum Place: Hashable, Sendable {
        /// By date of purchase.
        case purchased(Instant, TransactionID, OriginalTransactionID)
        /// By recording.
        case recorded(Position)
    }

    /// Some of the purchases of a selection.
    package struct Page: Sendable {
        /// Those that pass, in the order of the basis.
        package var rows: [PurchaseRow]
        /// How many transactions were looked at for them.
        package var readCount: Int
        /// Where the page ends; nil when there were none.
        package var place: Place?
    }

    /// A transaction that may stand for a payment of the selection.
    private struct Candidate {
        var place: Place
        var transaction: TransactionID
        var line: OriginalTransactionID
    }

    private let connection: Connection

    /// A reader on a connection.
    package init(_ connection: Connection) { self.connection = connection }

    /// Purchases of everybody, by the date of the selection's basis: that of the purchase, or of the recording.
    /// - Parameters:
    ///   - selection: which of them; its lines and kinds of entries do not matter.
    ///   - position: as known here.
    ///   - place: after this one.
    ///   - limit: at most so many transactions are looked at, each of which gives one row at most.
    /// - Returns: a page; it looked at fewer than the limit when there are no more.
    /// - Throws: ``EventStoreError``, or ``LogCorruption`` naming an event that no version of ours wrote.
    package func page(
        _ selection: RegisterSelection,
        knownAt position: Position,
        after place: Place?,
        limit: Int
    ) throws -> Page {
        let candidates =
            selection.basis == .recordedAt
            ? try recorded(selection, position, after: place, limit)
            : try purchased(selection, after: place, limit)
        let lines = Array(Set(candidates.map(\.line)))
        let payments = try payments(of: lines, selection, knownAt: position)
        let rows = candidates.compactMap { candidate in
            payments[candidate.line]?.first { $0.isMeant(by: candidate.place, candidate.transaction) }?.row
        }
        return Page(rows: rows.filter(selection.takes), readCount: candidates.count, place: candidates.last?.place)
    }

    /// The purchases among a customer's facts, by the date of the selection's basis.
    /// - Parameters:
    ///   - facts: as they were known, and signed, by what is asked.
    ///   - selection: which of them.
    /// - Returns: all rows at once: a customer's own history.
    /// - Throws: ``EventStoreError``.
    package func rows(
        among facts: CustomerFacts,
        _ selection: RegisterSelection
    ) throws(EventStoreError) -> [PurchaseRow] {
        let lines = facts.lines.map(\.line.originalTransactionID)
        let first = try firstRecordings(of: lines, in: selection.environment)
        let recordings = first.values.reduce(into: [:]) { $0.merge($1) { min($0, $1) } }
        let payments = PurchaseRegister(facts.lines.flatMap(\.transactions)).payments
            .map { PaymentRecording($0, recordings) }
        let ordered =
            selection.basis == .recordedAt ? payments.sorted { $0.first.position < $1.first.position } : payments
        return ordered.map(\.row).filter { row in
            let date = selection.basis == .recordedAt ? row.recordedAt : row.purchase.effectivePurchaseDate
            return selection.from <= date && date < selection.to && selection.takes(row)
        }
    }

    // MARK: Where to look

    private func purchased(
        _ selection: RegisterSelection,
        after place: Place?,
        _ limit: Int
    ) throws(EventStoreError) -> [Candidate] {
        var after: (date: Int64, transaction: String, line: String) = (.min, "", "")
        var from = selection.from
        if case .purchased(let date, let transaction, let line) = place {
            after = (date.milliseconds, transaction.rawValue, line.rawValue)
            from = max(from, date)
        }
        let rows = try connection.read(
            Statements.findPurchases,
            [
                .int2(selection.environment.code), .int8(from.milliseconds), .int8(selection.to.milliseconds),
                .int8(after.date), .text(after.transaction), .text(after.line), .int8(Int64(limit)),
            ]
        )
        return rows.indices.map { row in
            let date = Instant(milliseconds: rows.int64(row, 0))
            let transaction = TransactionID(rawValue: rows.text(row, 1))
            let line = OriginalTransactionID(rawValue: rows.text(row, 2))
            return Candidate(place: .purchased(date, transaction, line), transaction: transaction, line: line)
        }
    }

    private func recorded(
        _ selection: RegisterSelection,
        _ position: Position,
        after place: Place?,
        _ limit: Int
    ) throws(EventStoreError) -> [Candidate] {
        let log = EventReader(connection)
        var after = try log.lastPosition(recordedBy: selection.from.adding(milliseconds: -1), upTo: position)
        let last = try log.lastPosition(recordedBy: selection.to.adding(milliseconds: -1), upTo: position)
        if case .recorded(let position) = place { after = max(after, position) }
        let rows = try connection.read(
            Statements.findRecordedTransactions,
            [
                .int2(selection.environment.code), .int8(after.rawValue), .int8(last.rawValue), .int8(Int64(limit)),
            ]
        )
        return rows.indices.map { row in
            Candidate(
                place: .recorded(Position(rows.int64(row, 0))),
                transaction: TransactionID(rawValue: rows.text(row, 1)),
                line: OriginalTransactionID(rawValue: rows.text(row, 2))
            )
        }
    }

    // MARK: What was charged

    /// The payments of some lines.
    private func payments(
        of lines: [OriginalTransactionID],
        _ selection: RegisterSelection,
        knownAt position: Position
    ) throws -> [OriginalTransactionID: [PaymentRecording]] {
        guard !lines.isEmpty else { return [:] }
        let first = try firstRecordings(of: lines, in: selection.environment)
        let facts = try transactions(of: lines, in: selection.environment, at: selection.at, knownAt: position)
        return Dictionary(
            uniqueKeysWithValues: facts.map { line, transactions in
                let recordings = first[line] ?? [:]
                return (line, PurchaseRegister(transactions).payments.map { PaymentRecording($0, recordings) })
            }
        )
    }

    /// What was known of the transactions of some lines: from the tables where they have not changed since, and folded
    /// from the log where they have.
    private func transactions(
        of lines: [OriginalTransactionID],
        in environment: StoreEnvironment,
        at instant: Instant,
        knownAt position: Position
    ) throws -> [OriginalTransactionID: [TransactionFact]] {
        let query = LineTable.loadQuery(lines.map { FactKey(environment, $0) })
        var known: [OriginalTransactionID: [TransactionFact]] = [:]
        for row in LineTable.decodeAll(try connection.read(query.statement, query.parameters)) {
            let transactions = row.fact.transactions
            // A winning rendering that was known then and signed by then had won then already.
            if transactions.allSatisfy({ $0.rendering.position <= position && $0.rendering.signedAt <= instant }) {
                known[row.fact.line.originalTransactionID] = transactions
            }
        }
        let changed = lines.filter { known[$0] == nil }
        guard !changed.isEmpty else { return known }
        let events = try EventReader(connection).events(in: environment, about: EventKeys(lines: Set(changed))).events
            .map(\.event)
        let past = HistoricalFacts.fold(events, at: instant, knownAt: .position(position)).lineFacts
        for (key, facts) in past { known[key.id] = facts.transactions }
        return known
    }

    /// When the transactions of some lines were first recorded.
    private func firstRecordings(
        of lines: [OriginalTransactionID],
        in environment: StoreEnvironment
    ) throws(EventStoreError) -> [OriginalTransactionID: [TransactionID: FirstRecording]] {
        let rows = try connection.read(
            Statements.readFirstRecordings,
            [.int2(environment.code), .textArray(lines.map(\.rawValue))]
        )
        var first: [OriginalTransactionID: [TransactionID: FirstRecording]] = [:]
        for row in rows.indices {
            first[OriginalTransactionID(rawValue: rows.text(row, 0)), default: [:]][
                TransactionID(rawValue: rows.text(row, 1))
            ] = FirstRecording(
                position: Position(rows.int64(row, 2)),
                recordedAt: Instant(milliseconds: rows.int64(row, 3))
            )
        }
        return first
    }
}

/// When something was first recorded.
private struct FirstRecording: Comparable {
    var position: Position
    var recordedAt: Instant

    static func < (left: Self, right: Self) -> Bool { left.position < right.position }
}

/// A payment, and when the ledger first heard of it.
private struct PaymentRecording {
    let payment: PurchaseRegister.Payment
    let first: FirstRecording

    init(_ payment: PurchaseRegister.Payment, _ recordings: [TransactionID: FirstRecording]) {
        self.payment = payment
        guard let first = payment.transactions.compactMap({ recordings[$0] }).min() else {
            preconditionFailure("a transaction that is known was recorded")
        }
        self.first = first
    }

    var row: PurchaseRow { PurchaseRow(payment.purchase, recordedAt: first.recordedAt) }

    /// Whether the payment is told where a transaction was found: each payment is at one place only.
    func isMeant(by place: PurchaseReader.Place, _ transaction: TransactionID) -> Bool {
        switch place {
        case .purchased(let date, _, _):
            payment.purchase.transactionID == transaction && payment.purchase.effectivePurchaseDate == date
        case .recorded(let position): first.position == position && payment.transactions.contains(transaction)
        }
    }
}

extension RegisterSelection {
    /// Whether a purchase passes all but the window.
    fileprivate func takes(_ row: PurchaseRow) -> Bool {
        let purchase = row.purchase
        return purchase.hasBegun(at: at) && (transactionID.map { $0 == purchase.transactionID } ?? true)
            && (currency.map { $0 == purchase.currency } ?? true)
            && (productID.map { $0 == purchase.productID } ?? true)
            && (bundleID.map { $0 == purchase.bundleID } ?? true)
    }
}
