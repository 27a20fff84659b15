/// A statement of ours: prepared once per connection, by name, when it is first used there.
///
/// The text is a constant of the program; what varies are parameters, `$1`, `$2`, …
package struct Statement: Sendable, Hashable {
    /// The most bytes of a name that PostgreSQL keeps (NAMEDATALEN − 1).
    package static let nameBytesMax = 63

    /// Its name in errors and in the server's logs: unique in the program.
    package let name: String
    package let sql: String
    /// Whether it changes nothing.
    ///
    /// When the connection is lost, a lost read is ``PostgresError/connectionLost(reason:)``, and anything else that
    /// may have been committed is ``PostgresError/commitOutcomeUnknown(reason:)``.
    package let isReadOnly: Bool

    package init(name: String, sql: String, isReadOnly: Bool = false) {
        precondition(
            !name.isEmpty && name.utf8.count <= Self.nameBytesMax,
            "statement name \(name) is empty or too long"
        )
        self.name = name
        self.sql = sql
        self.isReadOnly = isReadOnly
    }
}

/// A statement with its parameters.
package struct Query: Sendable, Hashable {
    package let statement: Statement
    package let parameters: [Parameter]

    package init(_ statement: Statement, _ parameters: [Parameter] = []) {
        self.statement = statement
        self.parameters = parameters
    }
}
