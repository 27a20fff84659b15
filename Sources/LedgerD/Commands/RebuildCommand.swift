import EventStore
import LedgerCore
import Postgres
import Projections

/// `ledgerd rebuild`: folds the whole log again beside the live projections, compares, and switches.
struct RebuildCommand {
    private let configuration: Configuration
    /// Compare only: nothing is switched, and a difference is a failure.
    private let verifies: Bool

    init(_ configuration: Configuration, arguments: [String]) throws {
        self.configuration = configuration
        guard arguments.allSatisfy({ $0 == "--verify" }) else {
            throw UsageError("rebuild takes --verify and nothing else.")
        }
        verifies = !arguments.isEmpty
    }

    func run() throws -> Int32 {
        let connection = try Connection(
            PostgresConfiguration(
                configuration.migrationDatabase,
                applicationName: "ledgerd rebuild",
                settings: ["jit": "off"]
            )
        )
        defer { connection.close() }
        let rebuild = Rebuild(connection)
        var terminal = TerminalProgress()
        try rebuild.fold { terminal.show("folded \($0.position) of \($0.head) events") }
        let comparison = try rebuild.compare(replaces: !verifies)
        if verifies { try rebuild.discard() }
        return report(comparison)
    }

    private func report(_ comparison: Rebuild.Comparison) -> Int32 {
        let place = "at position \(comparison.position)"
        if let mismatch = comparison.mismatch {
            Terminal.complain(
                verifies
                    ? "The live projections cannot be compared with a fold of the whole log. \(mismatch)"
                    : "The projections were rebuilt \(place) and are in use; the ones before had another shape."
            )
            return verifies ? 1 : 0
        }
        guard !comparison.differing.isEmpty else {
            Terminal.say(
                verifies
                    ? "The live projections equal a fold of the whole log \(place)."
                    : "The projections were rebuilt \(place) and are in use; they equal the ones before."
            )
            return 0
        }
        let tables = comparison.differing.joined(separator: ", ")
        Terminal.complain(
            verifies
                ? "The live projections differ from a fold of the whole log \(place), in \(tables): run ledgerd rebuild."
                : "The projections were rebuilt \(place) and are in use; the ones before differed in \(tables)."
        )
        return verifies ? 1 : 0
    }
}
