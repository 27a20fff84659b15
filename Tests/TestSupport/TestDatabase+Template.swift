import EventStore
import Postgres

extension TestDatabase {
    /// Brings the empty template database to the schema that every test starts from; runs once per test process.
    static func prepareTemplate(_ connection: Connection) throws {
        try Migrations.apply(to: connection)
    }
}
