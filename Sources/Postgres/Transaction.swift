/// A transaction that is running: what its body asks the database with.
///
/// It cannot leave the body.
package struct Transaction: ~Copyable {
    let connection: Connection

    /// Not inlined, because Swift 6.3.1 crashes ("forwardToInit") when its optimiser specialises a generic function that
    /// makes a value that cannot be copied.
    @inline(never)
    init(connection: Connection) { self.connection = connection }

    /// Runs one statement and waits for its rows.
    @discardableResult
    package func query(_ statement: Statement, _ parameters: [Parameter] = []) throws(PostgresError) -> Rows {
        guard let rows = try pipeline([Query(statement, parameters)]).first else {
            preconditionFailure("one query has one answer")
        }
        return rows
    }

    /// Runs queries in order in one round trip.
    /// - Returns: the rows of each.
    package func pipeline(_ queries: [Query]) throws(PostgresError) -> [Rows] {
        try checkNotCancelled()
        return try connection.runInTransaction(queries, thenCommit: false)
    }

    /// Runs the last queries of the transaction and commits, in one round trip.
    ///
    /// Nothing can be asked after it.
    /// - Throws: ``PostgresError/commitOutcomeUnknown(reason:)`` when the connection is lost.
    @discardableResult
    package func commit(after queries: [Query]) throws(PostgresError) -> [Rows] {
        try checkNotCancelled()
        return try connection.runInTransaction(queries, thenCommit: true)
    }

    /// Runs a script of statements without parameters; rows it returns are dropped.
    package func execute(_ sql: String) throws(PostgresError) {
        try checkNotCancelled()
        try connection.beginIfDeferred()
        try connection.runScript(sql, commits: false)
    }

    /// A cancellation between two statements finds nothing to cancel on the server; outside a task there is none.
    private func checkNotCancelled() throws(PostgresError) {
        if Task.isCancelled { throw .stopped }
    }
}

@available(*, unavailable)
extension Transaction: Sendable {}
