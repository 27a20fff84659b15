import EventStore
import FoundationEssentials
import Postgres

/// The command line: `ledgerd COMMAND …`.
///
/// Exit status 0 done, 1 failed, 2 wrong usage or configuration.
struct CommandLineTool {
    private let arguments: [String]
    private let environment: [String: String]

    static let usage = """
        usage: ledgerd COMMAND

          serve   --config FILE    run the daemon
          migrate --config FILE    bring the database schema up to date
          token   --config FILE create --name NAME --scopes S,S | list | revoke ID
          import  --config FILE INPUT [--refused FILE] [--restart] [--wait SECONDS]
                                   take documents from a file, one or an object of them a line
          rebuild --config FILE [--verify]   fold the log again beside the live projections, compare, switch
          refunds --config FILE --from T --to T [--known-at T] [--format table|csv|ndjson]
                                   [--basis B] [--environment E]; --period FY2026-03 instead of --from and --to
          dev     [--once]         start a private PostgreSQL and the daemon, feed it a story, print what to try
          version                  print name and version
        """

    init(arguments: [String], environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
    }

    /// Runs the command.
    /// - Returns: the exit status.
    func run() -> Int32 {
        do {
            switch arguments.first {
            case "serve": return try ServeCommand(configuration(arguments.dropFirst())).run()
            case "migrate": return try MigrateCommand(configuration(arguments.dropFirst())).run()
            case "token":
                let (configuration, rest) = try configurationAndRest(arguments.dropFirst())
                return try TokenCommand(configuration, arguments: rest).run()
            case "import":
                let (configuration, rest) = try configurationAndRest(arguments.dropFirst())
                return try ImportCommand(configuration, arguments: rest).run()
            case "rebuild":
                let (configuration, rest) = try configurationAndRest(arguments.dropFirst())
                return try RebuildCommand(configuration, arguments: rest).run()
            case "refunds":
                let (configuration, rest) = try configurationAndRest(arguments.dropFirst())
                return try RefundsCommand(configuration, arguments: rest).run()
            case "dev": return try DevCommand(Array(arguments.dropFirst())).run()
            case "version", "--version":
                print("\(Version.name) \(Version.number)")
                return 0
            case "help", "--help", "-h":
                print(Self.usage)
                return 0
            case let command?: throw UsageError("There is no command \"\(command)\".")
            case nil: throw UsageError("A command is missing.")
            }
        } catch let error as UsageError {
            Terminal.complain("\(error)\n\n\(Self.usage)")
            return 2
        } catch {
            Terminal.complain("\(error)")
            return error is ConfigurationError || error is InputError || error is ExcessRights ? 2 : 1
        }
    }

    private func configuration(_ rest: ArraySlice<String>) throws -> Configuration {
        let (configuration, others) = try configurationAndRest(rest)
        guard others.isEmpty else { throw UsageError("There is no option \"\(others[0])\" here.") }
        return configuration
    }

    /// Reads the file that `--config` names; what else stands on the line is the command's.
    private func configurationAndRest(_ rest: ArraySlice<String>) throws -> (Configuration, [String]) {
        var rest = Array(rest)
        guard let option = rest.firstIndex(of: "--config") else { throw UsageError("--config FILE is missing.") }
        guard option + 1 < rest.count else { throw UsageError("--config needs a file.") }
        let path = rest[option + 1]
        rest.removeSubrange(option...option + 1)
        return (try ConfigurationReader(path: path, environment: environment).read(), rest)
    }
}

/// A command that cannot be understood; exit status 2.
struct UsageError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
