package import Postgres

/// What can go wrong between the ledger and its database.
package enum EventStoreError: Error, Sendable, CustomStringConvertible {
    /// The database cannot be reached, or did not answer in time. Nothing is lost: the sender tries again.
    case unavailable(PostgresError)
    /// More waits to be stored than may.
    case overloaded(waiting: Int)
    /// The ledger is shutting down.
    case stopping
    /// The database refuses what should be possible: the schema is missing, rights are missing, a rule of the ledger
    /// would be broken. Somebody has to look.
    case refused(PostgresError)

    package init(_ error: PostgresError) {
        self = error.isRetryable || error.isConnectionLost ? .unavailable(error) : .refused(error)
    }

    package var description: String {
        switch self {
        case .unavailable(let error): "The ledger's database is not available: \(error) Try again in a moment."
        case .overloaded(let waiting): "\(waiting) documents wait to be stored; try again in a moment."
        case .stopping: "The ledger is shutting down; send the document again in a moment."
        case .refused(let error): "The ledger's database refused: \(error)"
        }
    }
}
