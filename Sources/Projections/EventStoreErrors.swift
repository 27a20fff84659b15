import EventStore
import Postgres

/// Runs database work with the event store's errors.
func eventStoreErrors<Value>(_ body: () throws(PostgresError) -> Value) throws(EventStoreError) -> Value {
    do throws(PostgresError) { return try body() } catch { throw EventStoreError(error) }
}

extension Connection {
    /// The rows of a statement, with the event store's errors.
    func read(_ statement: Statement, _ parameters: [Parameter] = []) throws(EventStoreError) -> Rows {
        try eventStoreErrors { () throws(PostgresError) in try query(statement, parameters) }
    }
}
