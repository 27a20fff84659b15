/// The five characters by which PostgreSQL names a condition, whatever its language (PostgreSQL manual, appendix A).
package struct SQLState: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    private init(_ rawValue: String) { self.rawValue = rawValue }

    package static let successfulCompletion = SQLState("00000")
    package static let featureNotSupported = SQLState("0A000")
    package static let notNullViolation = SQLState("23502")
    package static let foreignKeyViolation = SQLState("23503")
    package static let uniqueViolation = SQLState("23505")
    package static let checkViolation = SQLState("23514")
    package static let exclusionViolation = SQLState("23P01")
    package static let inFailedTransaction = SQLState("25P02")
    package static let readOnlyTransaction = SQLState("25006")
    package static let idleInTransactionTimeout = SQLState("25P03")
    package static let invalidStatementName = SQLState("26000")
    package static let invalidPassword = SQLState("28P01")
    package static let invalidAuthorization = SQLState("28000")
    package static let invalidDatabase = SQLState("3D000")
    package static let serializationFailure = SQLState("40001")
    package static let deadlockDetected = SQLState("40P01")
    package static let insufficientPrivilege = SQLState("42501")
    package static let syntaxError = SQLState("42601")
    package static let undefinedTable = SQLState("42P01")
    package static let undefinedFunction = SQLState("42883")
    package static let diskFull = SQLState("53100")
    package static let outOfMemory = SQLState("53200")
    package static let tooManyConnections = SQLState("53300")
    package static let objectInUse = SQLState("55006")
    package static let lockNotAvailable = SQLState("55P03")
    package static let queryCanceled = SQLState("57014")
    package static let adminShutdown = SQLState("57P01")
    package static let crashShutdown = SQLState("57P02")
    package static let cannotConnectNow = SQLState("57P03")
    package static let raiseException = SQLState("P0001")

    /// The first two characters: what kind of condition it is.
    package var conditionClass: String { String(rawValue.prefix(2)) }

    /// Whether the same work may succeed later without a change to it: a lost race, a shortage, a server that starts
    /// or stops, a limit of time.
    package var isRetryable: Bool {
        switch conditionClass {
        case "08", "40", "53": true
        case "55": self == .lockNotAvailable || self == .objectInUse
        // All of "operator intervention" but 57P04, a database that was dropped.
        case "57": rawValue != "57P04"
        case "25": self == .idleInTransactionTimeout
        default: false
        }
    }
}

extension SQLState: CustomStringConvertible {
    /// The manual's name of the condition and the code, or the code alone: `unique_violation (23505)`.
    package var description: String {
        guard let name = Self.names[rawValue] else { return rawValue }
        return "\(name) (\(rawValue))"
    }

    private static let names = [
        "00000": "successful_completion", "0A000": "feature_not_supported", "23502": "not_null_violation",
        "23503": "foreign_key_violation", "23505": "unique_violation", "23514": "check_violation",
        "23P01": "exclusion_violation", "25006": "read_only_sql_transaction", "25P02": "in_failed_sql_transaction",
        "25P03": "idle_in_transaction_session_timeout", "26000": "invalid_sql_statement_name",
        "28P01": "invalid_password", "28000": "invalid_authorization_specification",
        "3D000": "invalid_catalog_name", "40001": "serialization_failure", "40P01": "deadlock_detected",
        "42501": "insufficient_privilege", "42601": "syntax_error", "42P01": "undefined_table",
        "42883": "undefined_function", "53100": "disk_full", "53200": "out_of_memory",
        "53300": "too_many_connections", "55006": "object_in_use", "55P03": "lock_not_available",
        "57014": "query_canceled", "57P01": "admin_shutdown", "57P02": "crash_shutdown",
        "57P03": "cannot_connect_now", "P0001": "raise_exception",
    ]
}
