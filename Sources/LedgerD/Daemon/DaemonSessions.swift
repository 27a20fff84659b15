import Postgres

/// The daemon's database sessions: all of them in the role that can append and read, and nothing more.
enum DaemonSessions {
    /// The limits of every session.
    static func configuration(_ conninfo: String) -> PostgresConfiguration {
        PostgresConfiguration(
            conninfo,
            applicationName: "ledgerd",
            connectTimeout: .seconds(3),
            statementTimeout: .seconds(20),
            idleInTransactionTimeout: .seconds(5),
            lockTimeout: .seconds(10),
            silenceTimeout: .seconds(25),
            settings: ["role": "ledger_daemon"]
        )
    }

    /// Reads by key.
    static func reading(_ base: PostgresConfiguration) -> PostgresConfiguration {
        var session = base
        session.applicationName = "ledgerd reads"
        session.statementTimeout = .seconds(5)
        return byIndex(session)
    }

    /// The exchange's with other daemons: what it says is a hint, and need not wait for the disk.
    static func announcing(_ base: PostgresConfiguration) -> PostgresConfiguration {
        var session = base
        session.applicationName = "ledgerd progress"
        session.settings["synchronous_commit"] = "off"
        return session
    }

    /// The follower's: a commit that is lost is folded again, so it need not wait for the disk.
    static func folding(_ base: PostgresConfiguration) -> PostgresConfiguration {
        var session = base
        session.applicationName = "ledgerd follower"
        session.settings["synchronous_commit"] = "off"
        return byIndex(session)
    }

    /// Look-ups by key are index descents whatever the statistics say, and are planned once (decision 3).
    private static func byIndex(_ base: PostgresConfiguration) -> PostgresConfiguration {
        var session = base
        let others = [
            "enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "enable_material", "jit",
        ]
        for setting in others {
            session.settings[setting] = "off"
        }
        session.settings["plan_cache_mode"] = "force_generic_plan"
        return session
    }
}
