internal import CPostgres

/// Queries that are committed together: they end in one synchronisation point of a pipeline.
struct Unit {
    let queries: [Query]
    /// Whether the server commits when the unit has been received.
    let commits: Bool
}

extension Connection {
    /// The most queries in one pipeline.
    package static let pipelineQueriesMax = 4_096

    /// Sends units in one pipeline and waits for all answers: one round trip, each unit with an outcome of its own.
    ///
    /// Statements that the session does not know are prepared at the head of the pipeline, before any unit runs.
    /// - Throws: when nothing was sent.
    func run(_ units: [Unit]) throws(PostgresError) -> [Result<[Rows], PostgresError>] {
        let count = units.reduce(0) { $0 + $1.queries.count }
        guard count <= Self.pipelineQueriesMax else {
            throw .limitExceeded(what: "queries in a pipeline", limit: Self.pipelineQueriesMax)
        }
        try checkUsable()
        let unprepared = try register(units)
        handle.notices.reset()
        do throws(PostgresError) {
            guard handle.enterPipeline() else { throw lose(handle.errorMessage) }
            try send(unprepared, units)
            try flush()
        } catch {
            return units.map { .failure(lost(error, $0)) }
        }
        let results = answers(unprepared, units)
        if failure == nil, !handle.exitPipeline() { _ = lose(handle.errorMessage) }
        return results
    }

    /// Notes the statements that will be prepared; what fails to be is taken back when the answer comes.
    private func register(_ units: [Unit]) throws(PostgresError) -> [Query] {
        var unprepared: [Query] = []
        do throws(PostgresError) {
            for unit in units {
                for query in unit.queries {
                    try ParameterBuffer.check(query.parameters)
                    guard try prepared.lacks(query) else { continue }
                    prepared.insert(query)
                    unprepared.append(query)
                }
            }
        } catch {
            for query in unprepared { prepared.remove(query.statement) }
            throw error
        }
        return unprepared
    }

    private func send(_ unprepared: [Query], _ units: [Unit]) throws(PostgresError) {
        var accepted = true
        // Each in a unit of its own: one that is refused must not keep the next from being prepared.
        for query in unprepared {
            accepted = accepted && handle.sendPrepare(query.statement, types: query.parameters.map(\.type))
            accepted = accepted && handle.sendSync()
        }
        for unit in units {
            for query in unit.queries {
                parameters.encode(query.parameters)
                accepted = accepted && handle.send(query.statement, parameters)
            }
            accepted = accepted && handle.sendSync()
        }
        guard accepted else { throw lose(handle.errorMessage) }
    }

    private func answers(_ unprepared: [Query], _ units: [Unit]) -> [Result<[Rows], PostgresError>] {
        var refused: [String: PostgresError] = [:]
        var results: [Result<[Rows], PostgresError>] = []
        do throws(PostgresError) {
            for query in unprepared {
                let outcome = try answer([query])
                if case .failure(let error) = outcome {
                    prepared.remove(query.statement)
                    refused[query.statement.name] = error
                }
            }
            for unit in units {
                results.append(try answer(unit.queries).mapError { Self.cause(of: $0, refused) })
                if unit.commits, handle.notices.replicationUnconfirmed {
                    results[results.count - 1] = .failure(
                        .commitOutcomeUnknown(reason: "it is committed here, but no standby has confirmed it")
                    )
                }
            }
        } catch {
            for unit in units[results.count...] { results.append(.failure(lost(error, unit))) }
        }
        return results
    }

    /// Reads the answers up to the next synchronisation point.
    /// - Throws: when the connection is lost.
    private func answer(_ queries: [Query]) throws(PostgresError) -> Result<[Rows], PostgresError> {
        var rows: [Rows] = []
        rows.reserveCapacity(queries.count)
        var failed: PostgresError?
        for query in queries {
            while let result = try receive() {
                switch result.status {
                case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: rows.append(result)
                case PGRES_PIPELINE_ABORTED: failed = failed ?? .pipelineAborted
                case PGRES_FATAL_ERROR:
                    let error = PostgresError.server(try serverError(result, query.statement.name))
                    failed = failed ?? error
                default: throw lose("the statement \"\(query.statement.name)\" is no plain query (a COPY?)")
                }
            }
        }
        // Whatever fails when the unit is committed, such as a deferred constraint, comes before the point.
        var ends = 0
        while true {
            guard let result = try receive() else {
                // libpq puts one end behind such an error; more would mean that it and we count differently.
                ends += 1
                guard ends <= 2 else { throw lose("the answers in the pipeline do not match the queries") }
                continue
            }
            if result.status == PGRES_PIPELINE_SYNC { break }
            let error = PostgresError.server(try serverError(result, queries.last?.statement.name))
            failed = failed ?? error
        }
        if let failed { return .failure(failed) }
        return .success(rows)
    }

    /// A statement that could not be prepared is missing later; the reason is the error from preparing it.
    private static func cause(of error: PostgresError, _ refused: [String: PostgresError]) -> PostgresError {
        guard case .server(let server) = error, server.state == .invalidStatementName, let name = server.statement
        else {
            return error
        }
        return refused[name] ?? error
    }

    /// What a loss means for a unit whose answer did not come.
    private func lost(_ error: PostgresError, _ unit: Unit) -> PostgresError {
        guard case .connectionLost(let reason) = error, unit.commits else { return error }
        return .commitOutcomeUnknown(reason: reason)
    }
}
