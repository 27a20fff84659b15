/// An error that PostgreSQL reported about one statement.
package struct ServerError: Error, Sendable, Hashable {
    /// What happened.
    package let state: SQLState
    /// Whether the server ended the session with it (severity FATAL or PANIC).
    package let endsSession: Bool
    /// The name of the statement it is about; nil for a script.
    package let statement: String?
    /// The constraint that refused the row, where one did.
    package let constraint: String?
    /// The table and column it is about, where the server names them.
    package let table: String?
    package let column: String?
    /// The server's sentence.
    ///
    /// It can quote values, so it belongs to debug logs.
    package let message: String
    /// What the server adds; it usually quotes the values of the row.
    package let detail: String?

    package init(
        state: SQLState,
        endsSession: Bool = false,
        statement: String? = nil,
        constraint: String? = nil,
        table: String? = nil,
        column: String? = nil,
        message: String,
        detail: String? = nil
    ) {
        self.state = state
        self.endsSession = endsSession
        self.statement = statement
        self.constraint = constraint
        self.table = table
        self.column = column
        self.message = message
        self.detail = detail
    }
}

extension ServerError: CustomStringConvertible, CustomDebugStringConvertible {
    /// A sentence without any value.
    package var description: String {
        var text = "PostgreSQL refused "
        text += statement.map { "the statement \"\($0)\"" } ?? "a script"
        text += " with \(state)"
        if let constraint { text += ", constraint \(constraint)" }
        if let table { text += ", table \(table)" }
        if let column { text += ", column \(column)" }
        return text + "."
    }

    /// The same with the server's own words, which can contain values.
    package var debugDescription: String {
        "\(description) \(message)" + (detail.map { " (\($0))" } ?? "")
    }
}
