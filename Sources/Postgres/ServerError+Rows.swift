internal import CPostgres

extension ServerError {
    /// The severities after which the server ends the session; these names are not translated.
    static let endingSeverities: Set<String> = ["FATAL", "PANIC"]

    /// The error in a result of libpq; nil when libpq made the error itself, which it does when the connection is lost.
    init?(_ result: Rows, statement: String?) {
        guard let state = result.errorField(CPostgres_sqlState) else { return nil }
        self.init(
            state: SQLState(rawValue: state),
            endsSession: Self.endingSeverities.contains(result.errorField(CPostgres_severity) ?? ""),
            statement: statement,
            constraint: result.errorField(CPostgres_constraint),
            table: result.errorField(CPostgres_table),
            column: result.errorField(CPostgres_column),
            message: result.errorField(CPostgres_message) ?? "",
            detail: result.errorField(CPostgres_detail)
        )
    }
}
