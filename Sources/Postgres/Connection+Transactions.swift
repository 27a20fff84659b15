internal import CPostgres

/// Where a connection stands in a transaction.
enum TransactionState: Equatable {
    case none
    /// BEGIN has not been sent: it travels with the first query.
    case deferred(Statement)
    case open
    /// Committed together with the last query.
    case committed
}

extension Connection {
    private static let commit = Statement(name: "postgres_commit", sql: "COMMIT")
    private static let rollback = Statement(name: "postgres_rollback", sql: "ROLLBACK")

    /// Runs `body` in a transaction: commits when it returns, rolls back when it throws.
    ///
    /// BEGIN travels with the first query. COMMIT costs a round trip, unless the body ends with
    /// ``Transaction/commit(after:)``.
    /// - Throws: what the body threw; ``PostgresError/commitOutcomeUnknown(reason:)`` when the connection was lost
    ///   during COMMIT; ``PostgresError/transactionRolledBack`` when the body caught an error of a statement and went on.
    package func transaction<Value>(
        _ isolation: Isolation = .readCommitted,
        _ body: (borrowing Transaction) throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
        guard transactionState == .none else { throw .misuse("a transaction cannot contain another") }
        transactionState = .deferred(isolation.begin)
        defer { transactionState = .none }
        do throws(PostgresError) {
            // A name for it: Swift 6.3.1 crashes in the release build on the temporary value (GenericSpecializer).
            let transaction = Transaction(connection: self)
            let value = try body(transaction)
            try commitIfOpen()
            return value
        } catch {
            rollBackIfOpen()
            throw error
        }
    }

    /// Runs queries in one transaction and one round trip, BEGIN and COMMIT included.
    /// - Returns: the rows of each query.
    package func transaction(
        _ isolation: Isolation = .readCommitted,
        queries: [Query]
    ) throws(PostgresError) -> [Rows] {
        try transaction(isolation) { tx throws(PostgresError) in try tx.commit(after: queries) }
    }

    func beginIfDeferred() throws(PostgresError) {
        guard case .deferred = transactionState else {
            guard transactionState == .open else { throw .misuse("the transaction has been committed") }
            return
        }
        _ = try runInTransaction([], thenCommit: false)
    }

    func runInTransaction(_ queries: [Query], thenCommit: Bool) throws(PostgresError) -> [Rows] {
        var unit = queries
        var begins = false
        switch transactionState {
        case .deferred(let begin):
            unit.insert(Query(begin), at: 0)
            begins = true
        case .open: break
        case .committed, .none: throw .misuse("the transaction has been committed")
        }
        if thenCommit { unit.append(Query(Self.commit)) }
        // Open already while it runs: if it fails behind BEGIN, a transaction must be rolled back.
        transactionState = .open
        guard var rows = try run([Unit(queries: unit, commits: thenCommit)]).first?.get() else {
            preconditionFailure("a pipeline of one unit has one outcome")
        }
        if thenCommit {
            try checkCommitted(rows.removeLast())
            transactionState = .committed
        }
        if begins { rows.removeFirst() }
        return rows
    }

    private func commitIfOpen() throws(PostgresError) {
        guard transactionState == .open else { return }
        _ = try runInTransaction([], thenCommit: true)
    }

    /// COMMIT of a transaction in which a statement had failed succeeds as a ROLLBACK; only its tag tells.
    private func checkCommitted(_ answer: Rows) throws(PostgresError) {
        guard answer.tag == "COMMIT" else { throw .transactionRolledBack }
    }

    /// Leaves the session outside a transaction, or lost; the error that led here is the one to report.
    private func rollBackIfOpen() {
        guard transactionState == .open, failure == nil, handle.transactionStatus != PQTRANS_IDLE else { return }
        do throws(PostgresError) {
            _ = try run([Unit(queries: [Query(Self.rollback)], commits: false)]).first?.get()
        } catch {
            _ = lose("a transaction could not be rolled back")
        }
    }
}
