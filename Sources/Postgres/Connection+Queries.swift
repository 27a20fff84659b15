internal import CPostgres

extension Connection {
    /// Runs one statement in a transaction of its own and waits for its rows.
    /// - Throws: ``PostgresError/commitOutcomeUnknown(reason:)`` when the connection is lost, unless the statement is
    ///   marked as read-only.
    @discardableResult
    package func query(_ statement: Statement, _ parameters: [Parameter] = []) throws(PostgresError) -> Rows {
        guard let rows = try pipeline([Query(statement, parameters)]).first else {
            preconditionFailure("a unit of one query has one answer")
        }
        return rows
    }

    /// Runs queries in order in one round trip and one transaction: all of them or none.
    /// - Returns: the rows of each query.
    package func pipeline(_ queries: [Query]) throws(PostgresError) -> [Rows] {
        guard let result = try pipeline(units: [queries]).first else {
            preconditionFailure("a pipeline of one unit has one outcome")
        }
        return try result.get()
    }

    /// Runs several transactions in order in one round trip.
    ///
    /// Each has an outcome of its own: one that fails is rolled back, and the next runs all the same.
    /// - Throws: only when nothing was sent.
    package func pipeline(units: [[Query]]) throws(PostgresError) -> [Result<[Rows], PostgresError>] {
        guard transactionState == .none else { throw .misuse("inside a transaction, ask the transaction") }
        return try run(
            units.map { queries in Unit(queries: queries, commits: queries.contains { !$0.statement.isReadOnly }) }
        )
    }

    /// Runs a script of one or more statements without parameters, such as a migration, in one transaction unless it
    /// contains transaction commands.
    ///
    /// Rows it returns are dropped.
    package func execute(_ sql: String) throws(PostgresError) {
        guard transactionState == .none else { throw .misuse("inside a transaction, ask the transaction") }
        try runScript(sql, commits: true)
    }

    func runScript(_ sql: String, commits: Bool) throws(PostgresError) {
        try checkUsable()
        handle.notices.reset()
        do throws(PostgresError) {
            guard handle.sendScript(sql) else { throw lose(handle.errorMessage) }
            try flush()
            try scriptAnswer()
        } catch {
            guard case .connectionLost(let reason) = error, commits else { throw error }
            throw .commitOutcomeUnknown(reason: reason)
        }
        if commits, handle.notices.replicationUnconfirmed {
            throw .commitOutcomeUnknown(reason: "it is committed here, but no standby has confirmed it")
        }
    }

    private func scriptAnswer() throws(PostgresError) {
        var failed: PostgresError?
        while let result = try receive() {
            switch result.status {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
            case PGRES_FATAL_ERROR:
                let error = PostgresError.server(try serverError(result, nil))
                failed = failed ?? error
            default: throw lose("a script cannot contain COPY")
            }
        }
        if let failed { throw failed }
    }
}
