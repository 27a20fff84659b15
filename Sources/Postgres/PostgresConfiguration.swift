internal import Threads

/// How to reach a database, and the limits of each session.
package struct PostgresConfiguration: Sendable, Hashable {
    /// A connection string of libpq: `key=value` words, or a URL (`postgresql:///ledger?host=/run/postgresql`).
    package var conninfo: String
    /// The database and the role, where they are not to be those of the connection string.
    package var database: String?
    package var user: String?
    /// What PostgreSQL shows as this session's name.
    package var applicationName: String
    /// The most time until a session is open, over all hosts named.
    ///
    /// A look-up of a host's name is not interrupted.
    package var connectTimeout: Duration
    /// The most time one statement may take (`statement_timeout`); nil leaves the server's setting.
    package var statementTimeout: Duration?
    /// The most time a transaction may wait for us (`idle_in_transaction_session_timeout`).
    package var idleInTransactionTimeout: Duration?
    /// The most time a statement may wait for a lock (`lock_timeout`).
    package var lockTimeout: Duration?
    /// The most silence while we wait for an answer, after which the server is taken for lost; nil: no limit.
    ///
    /// It only makes sense above `statementTimeout`.
    package var silenceTimeout: Duration?
    /// Further settings of the session by name, such as `synchronous_commit` or `search_path`.
    package var settings: [String: String]

    package init(
        _ conninfo: String,
        database: String? = nil,
        user: String? = nil,
        applicationName: String = "ledgerd",
        connectTimeout: Duration = .seconds(5),
        statementTimeout: Duration? = nil,
        idleInTransactionTimeout: Duration? = nil,
        lockTimeout: Duration? = nil,
        silenceTimeout: Duration? = nil,
        settings: [String: String] = [:]
    ) {
        self.conninfo = conninfo
        self.database = database
        self.user = user
        self.applicationName = applicationName
        self.connectTimeout = connectTimeout
        self.statementTimeout = statementTimeout
        self.idleInTransactionTimeout = idleInTransactionTimeout
        self.lockTimeout = lockTimeout
        self.silenceTimeout = silenceTimeout
        self.settings = settings
    }

    /// The `options` of the session's start: `-c name=value …`, sorted, so that equal configurations give equal text.
    var sessionOptions: String {
        var all = settings
        all["statement_timeout"] = statementTimeout.map(Self.milliseconds) ?? all["statement_timeout"]
        all["lock_timeout"] = lockTimeout.map(Self.milliseconds) ?? all["lock_timeout"]
        let idle = "idle_in_transaction_session_timeout"
        all[idle] = idleInTransactionTimeout.map(Self.milliseconds) ?? all[idle]
        return all.sorted { $0.key < $1.key }
            .map { "-c \($0.key)=\(Self.escaped($0.value))" }
            .joined(separator: " ")
    }

    /// Whole milliseconds, at least 1, because 0 would switch the limit off.
    private static func milliseconds(_ duration: Duration) -> String {
        String(max(1, duration.wholeMilliseconds))
    }

    /// The server splits options at spaces and takes a backslash before a character as that character.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for character in value {
            if character == "\\" || character.isWhitespace { text.append("\\") }
            text.append(character)
        }
        return text
    }
}
