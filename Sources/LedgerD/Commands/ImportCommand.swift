import EventStore
import JWS
import LedgerCore
import Postgres
import Threads

/// `ledgerd import`: documents from a file into the ledger, through the same checks as those that are posted.
struct ImportCommand {
    private let configuration: Configuration
    private let inputPath: String
    private let refusalsPath: String?
    /// The progress of an earlier import is not looked at.
    private let restarts: Bool
    private let patience: Duration

    /// How long an outage of the database is waited for, unless `--wait` says otherwise, in seconds.
    static let patienceSeconds = 300
    private static let patienceSecondsMax = 86_400

    static let usage = """
        import --config FILE INPUT [--refused FILE] [--restart] [--wait SECONDS]

          INPUT           a file with one document, or one object with documents, a line; - is standard input
          --refused FILE  lists the refused documents, one JSON object a line
          --restart       begins at the first line, also when INPUT.progress tells of an earlier import
          --wait SECONDS  how long an outage of the database is waited for (default \(patienceSeconds))
        """

    init(_ configuration: Configuration, arguments: [String]) throws(UsageError) {
        var (input, refusals): (String?, String?) = (nil, nil)
        var restarts = false
        var seconds = Self.patienceSeconds
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--refused": refusals = try Self.value(of: word, &rest)
            case "--restart": restarts = true
            case "--wait":
                let text = try Self.value(of: word, &rest)
                guard let number = Int(text), 0...Self.patienceSecondsMax ~= number else {
                    throw UsageError("--wait needs a number of seconds from 0 to \(Self.patienceSecondsMax).")
                }
                seconds = number
            case _ where word != "-" && word.hasPrefix("-"):
                throw UsageError("import has no option \"\(word)\":\n\n\(Self.usage)")
            default:
                guard input == nil else { throw UsageError("import takes one input, not \"\(word)\" besides.") }
                input = word
            }
        }
        guard let input else { throw UsageError("import needs an input:\n\n\(Self.usage)") }
        self.configuration = configuration
        self.restarts = restarts
        inputPath = input
        refusalsPath = refusals
        patience = .seconds(seconds)
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value.") }
        return value
    }

    func run() throws -> Int32 {
        let signals = StopSignals()
        let stopping = Flag()
        signals.onStop { stopping.raise() }
        let inputs = try DaemonInputs(configuration)
        let verifier = try Verifier(
            roots: inputs.roots,
            apps: configuration.apps,
            limits: Self.verifierLimits,
            clock: SystemClock.now
        )
        let input = try ImportInput(inputPath)
        let database = DaemonSessions.configuration(configuration.database)
        try checkDatabase(database)
        let file = input.isLasting ? ImportProgressFile(path: inputPath + ".progress") : nil
        let earlier = restarts ? nil : file?.read(for: input.descriptor)
        if let earlier { Terminal.complain("\(input.name): going on behind line \(earlier.place.lines).") }
        let run = ImportRun(
            ImportRun.Parts(
                verifier: verifier,
                database: database,
                input: input,
                progressFile: file,
                patience: patience,
                stopping: stopping
            ),
            from: earlier ?? ImportProgress(),
            report: try ImportReport(refusals: refusalsPath, continues: earlier != nil)
        )
        return finish(run, input, file)
    }

    private func finish(_ run: ImportRun, _ input: ImportInput, _ file: ImportProgressFile?) -> Int32 {
        do throws(ImportFailure) {
            let result = try run.run()
            file?.remove()
            let lines = result.progress.place.lines
            Terminal.say("\(input.name), \(lines) line\(lines == 1 ? "" : "s"): \(result.progress.counts).")
            if result.position > .start { Terminal.say("The last of them stands at position \(result.position).") }
            return result.progress.counts.refused == 0 ? 0 : 1
        } catch {
            let place = run.progress.place
            Terminal.complain("\(error)")
            Terminal.complain(
                "\(input.name): stopped behind line \(place.lines), byte \(place.offset) (\(run.progress.counts)); "
                    + (file == nil ? "send all of it again." : "the same command goes on from there.")
            )
            return 1
        }
    }

    /// Nobody floods an import with unknown certificates: what stands in the file is checked, however many there are.
    private static var verifierLimits: VerifierLimits {
        var limits = VerifierLimits()
        limits.missBurstMax = 1_000_000
        limits.missesPerSecondMax = 1_000_000
        return limits
    }

    /// The schema and the login's rights, as the daemon looks at them.
    private func checkDatabase(_ database: PostgresConfiguration) throws {
        let connection = try Connection(database)
        defer { connection.close() }
        try Migrations.verify(connection)
        if let excess = try DaemonRights.excess(of: connection) {
            guard configuration.isDevelopment else { throw excess }
            Terminal.complain("\(excess)")
        }
    }
}
