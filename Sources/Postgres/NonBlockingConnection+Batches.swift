internal import CPostgres

extension NonBlockingConnection {
    /// The queries in flight, and how far their answers have come.
    struct Batch {
        /// What the server still owes, in order.
        enum Owed {
            case preparation(Query)
            case answer(Int)
            case synchronisation
        }

        let queries: [PendingQuery]
        var owed: ArraySlice<Owed>
        /// The answer being received.
        var current: Result<Rows, PostgresError>?
        var refused: [String: PostgresError] = [:]
        /// Which queries have been answered or given back.
        var settled: [Bool]
        /// Answers that may be handed out only when the synchronisation point has come: of a query that commits there.
        var held: (index: Int, result: Result<Rows, PostgresError>)?
        /// After which silence the server is taken for lost.
        var deadline: ContinuousClock.Instant?

        var unanswered: Int { settled.count { !$0 } }
    }

    /// Takes the next queries from the queue and sends them: reads together, anything else alone.
    ///
    /// Those whose use of a statement's name is wrong fail alone.
    func sendBatch() {
        var queries = queue.take(batchMax) { $0.query.statement.isReadOnly }
        if queries.isEmpty { queries = queue.take(1) }
        let (accepted, unprepared, wrong) = register(queries)
        // Last, because a completion may come back here.
        defer { for (pending, error) in wrong { pending.completion(.failure(error)) } }
        guard !accepted.isEmpty else { return }
        var owed: [Batch.Owed] = []
        owed.reserveCapacity(accepted.count + 1 + 2 * unprepared.count)
        for query in unprepared { owed += [.preparation(query), .synchronisation] }
        for index in accepted.indices { owed.append(.answer(index)) }
        owed.append(.synchronisation)
        handle.notices.reset()
        batch = Batch(
            queries: accepted,
            owed: owed[...],
            settled: Array(repeating: false, count: accepted.count),
            deadline: configuration.silenceTimeout.map { .now + $0 }
        )
        guard send(unprepared, accepted) else { return lose(handle.errorMessage) }
        flushSocket()
    }

    private func register(
        _ queries: [PendingQuery]
    ) -> (accepted: [PendingQuery], unprepared: [Query], wrong: [(PendingQuery, PostgresError)]) {
        var accepted: [PendingQuery] = []
        var unprepared: [Query] = []
        var wrong: [(PendingQuery, PostgresError)] = []
        accepted.reserveCapacity(queries.count)
        for pending in queries {
            do throws(PostgresError) {
                if try prepared.lacks(pending.query) {
                    prepared.insert(pending.query)
                    unprepared.append(pending.query)
                }
                accepted.append(pending)
            } catch {
                wrong.append((pending, error))
            }
        }
        return (accepted, unprepared, wrong)
    }

    private func send(_ unprepared: [Query], _ queries: [PendingQuery]) -> Bool {
        for query in unprepared {
            guard handle.sendPrepare(query.statement, types: query.parameters.map(\.type)), handle.sendSync() else {
                return false
            }
        }
        for pending in queries {
            parameters.encode(pending.query.parameters)
            guard handle.send(pending.query.statement, parameters) else { return false }
        }
        return handle.sendSync()
    }

    func flushSocket() {
        guard let done = handle.flush() else { return lose(handle.errorMessage) }
        needsFlush = !done
    }

    /// Reads what has come and hands out the answers that are complete.
    func receive() {
        let isAlive = handle.consumeInput()
        if let silence = configuration.silenceTimeout { batch?.deadline = .now + silence }
        var answers: [(PendingQuery, Result<Rows, PostgresError>)] = []
        let problem = readResults(&answers)
        for (pending, result) in answers { pending.completion(result) }
        guard isOpen else { return }
        if let problem {
            lose(problem)
        } else if let state = handle.notices.sessionEnd {
            lose("the server ended the session with \(state)")
        } else if !isAlive {
            lose(handle.errorMessage)
        }
    }

    /// - Returns: why the session cannot go on, if so.
    private func readResults(_ answers: inout [(PendingQuery, Result<Rows, PostgresError>)]) -> String? {
        // Parses what came unasked, too.
        while !handle.isBusy {
            guard let owed = batch?.owed.first else { return nil }
            let result = handle.nextResult()
            if let result, let error = ServerError(result, statement: nil), error.endsSession {
                return "the server ended the session with \(error.state)"
            }
            if let result, result.status == PGRES_FATAL_ERROR, ServerError(result, statement: nil) == nil {
                return result.errorMessage
            }
            switch owed {
            case .preparation(let query): receivePreparation(result, query)
            case .answer(let index): receiveAnswer(result, index, &answers)
            case .synchronisation:
                guard let result else { continue }
                if result.status == PGRES_PIPELINE_SYNC {
                    endUnit(&answers)
                } else if let held = batch?.held, let error = ServerError(result, statement: nil) {
                    // What fails when the query is committed, such as a deferred constraint.
                    batch?.held = (held.index, .failure(.server(error)))
                }
            }
        }
        return nil
    }

    private func receivePreparation(_ result: Rows?, _ query: Query) {
        guard let result else {
            if case .failure(let error) = batch?.current {
                prepared.remove(query.statement)
                batch?.refused[query.statement.name] = error
            }
            batch?.current = nil
            batch?.owed.removeFirst()
            return
        }
        let outcome = outcome(result, query.statement)
        batch?.current = outcome
    }

    private func receiveAnswer(
        _ result: Rows?,
        _ index: Int,
        _ answers: inout [(PendingQuery, Result<Rows, PostgresError>)]
    ) {
        guard let pending = batch?.queries[index] else { return }
        if let result {
            let outcome = outcome(result, pending.query.statement)
            if batch?.current == nil { batch?.current = outcome }
            return
        }
        batch?.owed.removeFirst()
        guard let current = batch?.current else { return }
        batch?.current = nil
        // A query that did not run, because one before it failed, runs again in the next batch.
        if case .failure(.pipelineAborted) = current { return }
        guard pending.query.statement.isReadOnly else {
            batch?.held = (index, current)
            return
        }
        batch?.settled[index] = true
        answers.append((pending, current))
    }

    /// At the last synchronisation point the batch is over, and what did not run goes back to the queue.
    private func endUnit(_ answers: inout [(PendingQuery, Result<Rows, PostgresError>)]) {
        batch?.owed.removeFirst()
        guard var done = batch, done.owed.isEmpty else { return }
        if let held = done.held {
            done.settled[held.index] = true
            answers.append((done.queries[held.index], confirmed(held.result)))
        }
        let returned = done.queries.indices.filter { !done.settled[$0] }.map { done.queries[$0] }
        if !returned.isEmpty { queue.prepend(returned) }
        batch = nil
        backoff.reset()
    }

    private func confirmed(_ result: Result<Rows, PostgresError>) -> Result<Rows, PostgresError> {
        guard case .success = result, handle.notices.replicationUnconfirmed else { return result }
        return .failure(.commitOutcomeUnknown(reason: "it is committed here, but no standby has confirmed it"))
    }

    private func outcome(_ result: Rows, _ statement: Statement) -> Result<Rows, PostgresError> {
        switch result.status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return .success(result)
        case PGRES_PIPELINE_ABORTED: return .failure(.pipelineAborted)
        default:
            guard let error = ServerError(result, statement: statement.name) else {
                return .failure(.misuse("the statement \"\(statement.name)\" is no plain query (a COPY?)"))
            }
            if error.state == .invalidStatementName, let reason = batch?.refused[statement.name] {
                return .failure(reason)
            }
            return .failure(.server(error))
        }
    }

    /// Takes the queries in flight that have no answer yet.
    func takeUnanswered() -> [PendingQuery] {
        guard let batch else { return [] }
        self.batch = nil
        return batch.queries.indices.filter { !batch.settled[$0] }.map { batch.queries[$0] }
    }
}
