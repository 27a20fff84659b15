/// What a transaction sees of others (PostgreSQL manual, "Transaction Isolation").
package enum Isolation: Sendable {
    /// Each statement sees what was committed before it.
    case readCommitted
    /// All statements see what was committed before the first.
    case repeatableRead
    /// As if transactions ran one after the other; conflicts fail with `serialization_failure`.
    case serializable
    /// ``repeatableRead``, and the server refuses any change.
    case snapshot

    var begin: Statement {
        switch self {
        case .readCommitted:
            Statement(
                name: "postgres_begin_read_committed",
                sql: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
                isReadOnly: true
            )
        case .repeatableRead:
            Statement(
                name: "postgres_begin_repeatable_read",
                sql: "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE",
                isReadOnly: true
            )
        case .serializable:
            Statement(
                name: "postgres_begin_serializable",
                sql: "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE",
                isReadOnly: true
            )
        case .snapshot:
            Statement(
                name: "postgres_begin_snapshot",
                sql: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                isReadOnly: true
            )
        }
    }
}
