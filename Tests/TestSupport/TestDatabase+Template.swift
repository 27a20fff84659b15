import EventStore
package import Postgres

extension TestDatabase {
    /// Brings the empty template database to the schema that every test starts from; runs once per test process.
    static func prepareTemplate(_ connection: Connection) throws {
        try Migrations.apply(to: connection)
        try makeDaemonLogin(connection)
    }

    /// A login with the rights of a daemon in production, and no others.
    package static let daemonLogin = "test_daemon"

    /// Makes ``daemonLogin`` in a migrated cluster that has none.
    package static func makeDaemonLogin(_ connection: Connection) throws(PostgresError) {
        try connection.execute(
            """
            DO $login$ BEGIN
              CREATE ROLE \(daemonLogin) LOGIN IN ROLE ledger_daemon;
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
              NULL;  -- roles belong to the whole cluster: another test process made it
            END $login$
            """
        )
    }
}
