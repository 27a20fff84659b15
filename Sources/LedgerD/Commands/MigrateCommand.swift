import EventStore
import Postgres

/// `ledgerd migrate`: brings the schema up to date, as the owner.
struct MigrateCommand {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() throws -> Int32 {
        let connection = try Connection(
            PostgresConfiguration(configuration.migrationDatabase, applicationName: "ledgerd migrate")
        )
        defer { connection.close() }
        let taken = try Migrations.apply(to: connection)
        Terminal.say(
            taken == 0
                ? "The schema is up to date at step \(Migrations.newest)."
                : "The schema was brought to step \(Migrations.newest) in \(taken) step\(taken == 1 ? "" : "s")."
        )
        return 0
    }
}
