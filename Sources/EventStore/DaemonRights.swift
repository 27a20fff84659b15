package import Postgres

/// Looks at what a daemon's database login could do beyond appending and reading.
///
/// The log is safe from a daemon, and from whoever takes one over, only while its login has no right but membership of
/// `ledger_daemon` (DESIGN invariant 4). A session's own role says nothing: `RESET ROLE` leads back to the login.
package enum DaemonRights {
    /// What the session's login may do that a daemon must not; nil for one with the rights it needs and no others.
    package static func excess(of connection: Connection) throws(PostgresError) -> ExcessRights? {
        let rows = try connection.query(Statements.findExcessRights)
        guard !rows.isEmpty else { return nil }
        let (login, role) = (rows.text(0, 0), rows.text(0, 1))
        return ExcessRights(
            login: login,
            gravest: (role == login ? "it " : "through the role \"\(role)\" it ") + rows.text(0, 2),
            count: rows.count
        )
    }
}

/// A database login that may do more than a daemon needs.
package struct ExcessRights: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the login.
    package let login: String
    /// The gravest right, as a clause: `it is a superuser`.
    package let gravest: String
    /// How many such rights there are; at least 1.
    package let count: Int

    package var description: String {
        let others = count > 1 ? ", and has \(count - 1) more such right\(count == 2 ? "" : "s")" : ""
        return "The database login \"\(login)\" may do more than append and read: \(gravest)\(others). "
            + "Let \"database\" name a login whose only right is to be in ledger_daemon "
            + "(CREATE ROLE ledgerd LOGIN IN ROLE ledger_daemon), "
            + "or set \"development\": true where nothing is at stake."
    }
}
