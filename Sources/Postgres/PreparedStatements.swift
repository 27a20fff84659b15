/// Which statements a session knows, and with which parameter types.
struct PreparedStatements {
    /// The most statements that one session prepares; each costs the server some tens of kilobytes.
    static let statementsMax = 1_000

    private struct Entry {
        let sql: String
        let types: [PostgresType]
    }
    private var entries: [String: Entry] = [:]

    /// Whether a query's statement still has to be prepared.
    /// - Throws: ``PostgresError/misuse(_:)`` when the name stands for another text, or the parameters have other types
    ///   than at its first use: the server would read their bytes as something else.
    func lacks(_ query: Query) throws(PostgresError) -> Bool {
        guard let entry = entries[query.statement.name] else {
            guard entries.count < Self.statementsMax else {
                throw .limitExceeded(what: "prepared statements in a session", limit: Self.statementsMax)
            }
            return true
        }
        guard entry.sql == query.statement.sql else {
            throw .misuse("the name \"\(query.statement.name)\" stands for two different statements")
        }
        guard entry.types.count == query.parameters.count,
            zip(entry.types, query.parameters).allSatisfy({ $0 == $1.type })
        else {
            throw .misuse(
                "the statement \"\(query.statement.name)\" got parameters of other types than at its first use"
            )
        }
        return false
    }

    mutating func insert(_ query: Query) {
        entries[query.statement.name] = Entry(sql: query.statement.sql, types: query.parameters.map(\.type))
    }

    mutating func remove(_ statement: Statement) { entries[statement.name] = nil }

    mutating func removeAll() { entries.removeAll() }
}
