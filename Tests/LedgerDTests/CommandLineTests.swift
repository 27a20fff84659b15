import Dispatch
import EventStore
import Foundation
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import LedgerD

/// The built binary: exit statuses and what it prints.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct CommandLineTests {
    /// What a command left behind.
    struct Ended: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The program stands beside the tests' resources.
    static let binary = Bundle.module.bundleURL.deletingLastPathComponent().appending(path: "ledgerd")

    /// The program with pipes for what it prints, not started yet; without an input there is nothing to read.
    static func process(
        _ arguments: [String],
        _ environment: [String: String] = [:],
        input: FileHandle = .nullDevice
    ) -> (Process, Pipe, Pipe) {
        let process = Process()
        process.executableURL = binary
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LEDGERD_") }
        variables.merge(environment) { $1 }
        process.environment = variables
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        return (process, output, errors)
    }

    /// No command takes longer, under a sanitizer on a busy machine either.
    private static let secondsMax: Double = 300

    /// Runs the program to its end; it prints less than a pipe holds.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: FileHandle = .nullDevice
    ) throws -> Ended {
        let (process, output, errors) = process(arguments, environment, input: input)
        try process.run()
        // A command that should have ended and serves instead must not hold the tests up.
        DispatchQueue.global().asyncAfter(deadline: .now() + secondsMax) {
            if process.isRunning { process.terminate() }
        }
        process.waitUntilExit()
        func text(_ pipe: Pipe) -> String {
            String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        return Ended(status: process.terminationStatus, output: text(output), errors: text(errors))
    }

    /// Writes a configuration for the test's database.
    static func configure(_ bench: DaemonBench, _ changes: KeyValuePairs<String, JSONValue?> = [:]) throws
        -> String
    {
        let configuration = try bench.configuration()
        let content: JSONValue = [
            "listen": "127.0.0.1:0", "auth": "off", "database": .string(configuration.database),
            "migrationDatabase": .string(configuration.migrationDatabase),
            "trustedRoots": .array(configuration.trustedRoots.map(JSONValue.string)),
            "apps": [["bundleId": .string(Sample.bundleID), "appAppleId": .integer(Sample.appAppleID)]],
        ]
        return try bench.write("ledgerd.json", content.with(changes).bytes)
    }

    @Test(arguments: [
        ([], "A command is missing."), (["fly"], "There is no command \"fly\"."),
        (["serve"], "--config FILE is missing."),
        (["serve", "--config"], "--config needs a file."), (["migrate"], "--config FILE is missing."),
        (["token", "list"], "--config FILE is missing."), (["dev", "--twice"], "dev has no option \"--twice\""),
        (["dev", "--listen", "0.0.0.0:80"], "--listen needs a loopback address"),
        (["dev", "--listen"], "--listen needs an address and a port."),
        (["serve", "--config", "/nowhere/ledgerd.json"], "/nowhere/ledgerd.json: the file cannot be read."),
        (["migrate", "--config", "/nowhere/ledgerd.json"], "/nowhere/ledgerd.json: the file cannot be read."),
    ])
    func `wrong usage ends with 2 and a sentence`(_ arguments: [String], _ sentence: String) async throws {
        let ended = try await offPool { try Self.run(arguments) }
        #expect(ended.status == 2)
        #expect(ended.errors.contains(sentence), "\(ended.errors)")
        #expect(ended.output.isEmpty)
    }

    @Test(arguments: [
        (["serve"], ["--fast"], "There is no option \"--fast\" here."),
        (["migrate"], ["now"], "There is no option \"now\" here."),
        (["token"], [], "token needs create, list or revoke"),
        (["token"], ["steal"], "token needs create, list or revoke"),
        (["token"], ["create"], "token create needs --name and --scopes."),
        (["token"], ["create", "--name"], "--name needs a value."),
        (["token"], ["create", "--name", "a", "--scopes", "read,write"], "There is no scope \"write\""),
        (["token"], ["create", "--name", "a", "--scopes", ","], "token create needs --name and --scopes."),
        (["token"], ["create", "--colour", "red"], "token create has no option \"--colour\"."),
        (["token"], ["revoke"], "token revoke needs the token's id."),
        (["token"], ["list", "all"], "There is no option \"all\" here."),
        (["token"], ["revoke", "a", "b"], "There is no option \"b\" here."),
        (["rebuild"], ["--quick"], "rebuild takes --verify and nothing else."),
        (["refunds"], [], "refunds needs --from and --to, or --period FY2026-03."),
        (["refunds"], ["--from"], "--from needs a value."),
        (["refunds"], ["--from", "soon"], "--from needs an RFC 3339 time"),
        (["refunds"], ["--known-at", "soon"], "--known-at needs a position"),
        (["refunds"], ["--format", "xml"], "--format is table, csv or ndjson, not \"xml\"."),
        (["refunds"], ["--environment", "Xcode"], "--environment is Production or Sandbox, not \"Xcode\"."),
        (["refunds"], ["--period", "FY2026-13"], "A fiscal period is written as"),
        (["refunds"], ["--basis", "luck", "--period", "FY2026-03"], "\"basis\" of refunds must be one of"),
        (["refunds"], ["--from", "5", "--to", "4"], "\"from\" must not be later than \"to\"."),
        (["refunds"], ["--colour", "red"], "refunds has no option \"--colour\"."),
        (["import"], [], "import needs an input"),
        (["import"], ["a", "b"], "import takes one input, not \"b\" besides."),
        (["import"], ["a", "--fast"], "import has no option \"--fast\""),
        (["import"], ["a", "--wait"], "--wait needs a value."),
        (["import"], ["a", "--wait", "soon"], "--wait needs a number of seconds"),
        (["import"], ["a", "--wait", "-1"], "--wait needs a number of seconds"),
    ])
    func `wrong options end with 2 and a sentence`(_ command: [String], _ options: [String], _ sentence: String)
        async throws
    {
        try await withBench { bench throws in
            let ended = try Self.run(command + ["--config", try Self.configure(bench)] + options)
            #expect(ended.status == 2, "\(ended.errors)")
            #expect(ended.errors.contains(sentence), "\(ended.errors)")
        }
    }

    @Test func `help and version end with 0`() async throws {
        try await offPool {
            for option in ["help", "--help", "-h"] {
                let ended = try Self.run([option])
                #expect(ended.status == 0 && ended.output.hasPrefix("usage: ledgerd COMMAND"))
            }
            for option in ["version", "--version"] {
                let ended = try Self.run([option])
                #expect(ended.status == 0 && ended.output == "ledgerd \(Version.number)\n")
            }
        }
    }

    @Test func `a wrong configuration ends serve with 2, also by a variable`() async throws {
        try await withBench { bench throws in
            let missing = try Self.run(["serve", "--config", try Self.configure(bench, ["trustedRoots": ["no.cer"]])])
            #expect(missing.status == 2)
            #expect(missing.errors.contains("no.cer"))
            let open = try Self.run(
                ["serve", "--config", try Self.configure(bench)],
                environment: ["LEDGERD_LISTEN": "0.0.0.0:0"]
            )
            #expect(open.status == 2)
            #expect(open.errors.contains("can be \"off\" only with a loopback address"))
        }
    }

    @Test func `serve answers until SIGTERM and ends with 0; the port meanwhile is taken for another`() async throws {
        try await withBench { bench throws in
            let path = try Self.configure(bench)
            let (process, _, errors) = Self.process(["serve", "--config", path], [:])
            try process.run()
            defer { if process.isRunning { process.terminate() } }
            let port = try Self.port(in: errors)
            let client = DaemonClient(try TestClient(port: port))
            #expect(try client.get("/healthz").text == "alive\n")
            let signed = try bench.store.notification(
                Sample.notification(type: "TEST", signed: Instant(milliseconds: 1_700_000_000_000))
            )
            #expect(try client.notify(signed)["outcome"]?.text == "recorded")
            let second = try Self.run(
                ["serve", "--config", path],
                environment: ["LEDGERD_LISTEN": "127.0.0.1:\(port)"]
            )
            #expect(second.status == 1, "\(second.errors)")
            process.terminate()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 0)
            #expect(try LedgerState(bench.database).counts == [.notification: 1])
        }
    }

    @Test func `SIGHUP reads the catalog again, and a bad file leaves the old version in force`() async throws {
        try await withBench { bench throws in
            func catalog(_ entry: String) throws -> String {
                try bench.write("catalog.json", Array(#"{"products":{"a":\#(entry)}}"#.utf8))
            }
            let file = try catalog(#"{"entitlement":"first"}"#)
            let path = try Self.configure(bench, ["catalog": .string(file)])
            let (process, _, errors) = Self.process(["serve", "--config", path], [:])
            try process.run()
            defer { if process.isRunning { process.terminate() } }
            let recorded = "a version of the catalog was recorded"
            #expect(try Self.entry(recorded, in: errors)["event.position"]?.text == "1")
            _ = try catalog(#"{"level":0}"#)
            kill(process.processIdentifier, SIGHUP)
            let refusal = try Self.entry("the catalog was not read again; the old one stays", in: errors)
            #expect(refusal["problem"]?.text?.contains(#""level" of product "a""#) == true)
            _ = try catalog(#"{"entitlement":"second"}"#)
            kill(process.processIdentifier, SIGHUP)
            #expect(try Self.entry(recorded, in: errors)["event.position"]?.text == "2")
            process.terminate()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(try LedgerState(bench.database).counts == [.catalog: 2])
        }
    }

    /// The port in the log's line "listening".
    private static func port(in errors: Pipe) throws -> UInt16 {
        try #require(try entry("listening", in: errors)["http.port"]?.text.flatMap(UInt16.init))
    }

    /// The next entry of the log with this message.
    private static func entry(_ message: String, in errors: Pipe) throws -> JSONValue {
        var text: [UInt8] = []
        while true {
            for line in text.split(separator: UInt8(ascii: "\n")) {
                if let entry = try? JSONReader.value(of: Array(line)), entry["message"]?.text == message {
                    return entry
                }
            }
            let more = errors.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the daemon ended: \(String(decoding: text, as: UTF8.self))")
            text += more
        }
    }

    @Test func `migrate brings an empty database up to date, and then has nothing to do`() async throws {
        try await withBench { bench throws in
            let sibling = try bench.database.createSibling("new")
            defer { try? bench.database.dropSibling(sibling) }
            let database = bench.database.configuration.conninfo + " dbname=\(sibling)"
            let path = try Self.configure(bench, ["migrationDatabase": .string(database)])
            let first = try Self.run(["migrate", "--config", path])
            #expect(first.status == 0, "\(first.errors)")
            #expect(
                first.output == "The schema was brought to step \(Migrations.newest) in \(Migrations.newest) steps.\n"
            )
            let second = try Self.run(["migrate", "--config", path])
            #expect(second.status == 0)
            #expect(second.output == "The schema is up to date at step \(Migrations.newest).\n")
        }
    }

    @Test(arguments: [["migrate"], ["token", "list"], ["rebuild"]])
    func `without the database a command ends with 1`(_ command: [String]) async throws {
        try await withBench { bench throws in
            let path = try Self.configure(bench, ["migrationDatabase": "host=/nowhere dbname=ledger"])
            let ended = try Self.run([command[0], "--config", path] + command.dropFirst())
            #expect(ended.status == 1)
            #expect(ended.errors.contains("PostgreSQL"), "\(ended.errors)")
        }
    }

    @Test func `a token is made, listed and revoked`() async throws {
        try await withBench { bench throws in
            let path = try Self.configure(bench)
            let made = try Self.run(["token", "--config", path, "create", "--name", "shop", "--scopes", "ingest,read"])
            #expect(made.status == 0, "\(made.errors)")
            let text = made.output.trimmingCharacters(in: .newlines)
            #expect(text.hasPrefix("ledgerd_") && text.count > 40)
            let id = String(made.errors.split(separator: " ")[1])
            let list = try Self.run(["token", "--config", path, "list"])
            #expect(list.output.contains(id) && list.output.contains("ingest,read") && list.output.contains("shop"))
            #expect(!list.output.contains(text))
            let revoked = try Self.run(["token", "--config", path, "revoke", id])
            #expect(revoked.status == 0)
            #expect(try Self.run(["token", "--config", path, "list"]).output.contains("revoked"))
            for unknown in [id, "nobody"] {
                let again = try Self.run(["token", "--config", path, "revoke", unknown])
                #expect(again.status == 1)
                #expect(again.errors.contains("There is no active token \(unknown)"))
            }
        }
    }
}
