/// Everything that can go wrong between us and PostgreSQL.
package enum PostgresError: Error, Sendable, Hashable {
    /// No session could be opened. `state` is the server's reason when it answered.
    case cannotConnect(reason: String, state: SQLState?)
    /// The session was not open within the configured time.
    case connectTimeout(Duration)
    /// The connection is gone, and what was asked of it has changed nothing: it was not sent, only reads, or belonged
    /// to a transaction whose commit had not been asked for.
    case connectionLost(reason: String)
    /// The connection was lost after work was sent that commits, or no standby confirmed the commit: it may have
    /// happened or not. Look before doing it again.
    case commitOutcomeUnknown(reason: String)
    /// PostgreSQL refused a statement; its transaction is rolled back.
    case server(ServerError)
    /// COMMIT was answered with a rollback, because an earlier statement of the transaction had failed.
    case transactionRolledBack
    /// The statement was not run, because an earlier one in the same unit of a pipeline failed.
    case pipelineAborted
    /// Too much was asked at once; `limit` is the named maximum. Nothing was sent.
    case limitExceeded(what: String, limit: Int)
    /// A wait was ended by ``WaitSignal/stop()``.
    case stopped
    /// The connection was closed by us.
    case closed
    /// A bug of ours: the sentence says which rule was broken.
    case misuse(String)
}

extension PostgresError {
    /// Whether doing the same again may succeed and can do no harm.
    package var isRetryable: Bool {
        switch self {
        case .cannotConnect(_, let state):
            // A refused password or an unknown database stays so until somebody acts.
            state.map { $0.conditionClass != "28" && $0 != .invalidDatabase } ?? true
        case .connectTimeout, .connectionLost, .transactionRolledBack, .pipelineAborted, .limitExceeded: true
        case .server(let error): error.state.isRetryable
        case .commitOutcomeUnknown, .stopped, .closed, .misuse: false
        }
    }

    /// Whether the connection is gone, whatever became of the work.
    package var isConnectionLost: Bool {
        switch self {
        case .connectionLost, .closed: true
        // A commit that only lacks a standby's confirmation leaves the connection usable, but ending it is right then too.
        case .commitOutcomeUnknown: true
        case .cannotConnect, .connectTimeout, .server, .transactionRolledBack, .pipelineAborted, .limitExceeded,
            .stopped, .misuse:
            false
        }
    }

    /// The server's code, where the server said something.
    package var state: SQLState? {
        switch self {
        case .server(let error): error.state
        case .cannotConnect(_, let state): state
        default: nil
        }
    }

    /// The constraint that refused a row.
    package var constraint: String? {
        guard case .server(let error) = self else { return nil }
        return error.constraint
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    /// A sentence: what happened and what follows.
    ///
    /// It contains no database values.
    package var description: String {
        switch self {
        case .cannotConnect(_, let state?): "PostgreSQL refused the connection with \(state)."
        case .cannotConnect(let reason, nil): "PostgreSQL cannot be reached: \(reason)."
        case .connectTimeout(let limit): "PostgreSQL did not open a session within \(limit)."
        case .connectionLost(let reason): "The connection to PostgreSQL was lost: \(reason). Nothing was changed."
        case .commitOutcomeUnknown(let reason):
            "Whether the transaction was committed is unknown: \(reason). Look for its effects before repeating it."
        case .server(let error): error.description
        case .transactionRolledBack:
            "The transaction was rolled back instead of committed, because one of its statements had failed."
        case .pipelineAborted: "The statement was not run, because an earlier one in the same pipeline failed."
        case .limitExceeded(let what, let limit): "More than \(limit) \(what) were asked for; nothing was sent."
        case .stopped: "The wait for PostgreSQL was ended by a request to stop."
        case .closed: "The connection to PostgreSQL has been closed."
        case .misuse(let rule): "The database connection was used wrongly: \(rule)."
        }
    }

    /// The sentence with the server's own words, which can contain values.
    package var debugDescription: String {
        switch self {
        case .server(let error): error.debugDescription
        case .cannotConnect(let reason, _): "\(description) \(reason)"
        default: description
        }
    }
}
