import Postgres

extension TestDatabase {
    /// Brings the empty template database to the schema that every test starts from; runs once per test process.
    ///
    /// The event store's migrations belong here (`try Migrations.apply(to: connection)`) as soon as they exist.
    static func prepareTemplate(_ connection: Connection) throws {
    }
}
