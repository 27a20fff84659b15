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

extension Connection {
    /// Runs a transaction whose body may also fail by something else than the database; it is rolled back then.
    func transactionOrFault<Value>(_ body: (borrowing Transaction) throws -> Value) throws -> Value {
        var fault: (any Error)?
        do {
            return try transaction { tx throws(PostgresError) -> Value in
                do { return try body(tx) } catch let error as PostgresError { throw error } catch {
                    fault = error
                    throw .transactionRolledBack
                }
            }
        } catch { throw fault ?? error }
    }
}
