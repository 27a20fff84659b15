import EventStore
import FoundationEssentials
import Glibc
import JWS
import LedgerCore
import Postgres
import StoreSimulator
import Threads

/// `ledgerd dev`: a private PostgreSQL, a test certificate chain, the daemon, and a small story sent to it over HTTP.
///
/// The test root is trusted by this command's configuration alone; `serve` cannot come here.
struct DevCommand {
    /// Print the story's answers and end.
    private let once: Bool
    private let listen: Configuration.ListenAddress
    private let folder: String

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        var once = false
        var listenText: String?
        while let option = rest.popFirst() {
            switch option {
            case "--once": once = true
            case "--listen":
                guard let text = rest.popFirst() else { throw UsageError("--listen needs an address and a port.") }
                listenText = text
            default: throw UsageError("dev has no option \"\(option)\"; it takes --once and --listen ADDRESS:PORT.")
            }
        }
        // With --once nobody needs to know the port, so any free one will do.
        guard let listen = Configuration.ListenAddress(listenText ?? (once ? "127.0.0.1:0" : "127.0.0.1:8080")),
            listen.isLoopback
        else { throw UsageError("--listen needs a loopback address and a port, such as 127.0.0.1:8080.") }
        self.once = once
        self.listen = listen
        folder = FileManager.default.currentDirectoryPath + "/.ledger"
    }

    func run() throws -> Int32 {
        let signals = StopSignals()
        let postgres = try DevPostgres(folder: folder)
        try DevLock.take(folder)
        Terminal.say("Starting PostgreSQL under \(folder) …")
        try postgres.start()
        defer { postgres.stop() }
        try prepareDatabase(postgres)
        let chain = try TestChain()
        let daemon = try Daemon(try configuration(postgres, root: chain.root), log: Log(descriptor: try openLog()))
        signals.onStop { daemon.stop() }
        let serving = WorkerThread(name: "http loop") {
            do throws(ExcessRights) { try daemon.run() } catch { Terminal.complain("\(error)") }
        }
        defer {
            daemon.stop()
            serving.join()
        }
        try tell(Story(now: SystemClock.now()), to: LoopbackClient(port: daemon.port), signedBy: chain)
        if once { return 0 }
        printHints(port: daemon.port)
        serving.join()
        Terminal.say("Stopping PostgreSQL …")
        return 0
    }

    private func prepareDatabase(_ postgres: DevPostgres) throws {
        let admin = try Connection(PostgresConfiguration(postgres.conninfo(database: "postgres")))
        defer { admin.close() }
        let known = Statement(
            name: "database_exists",
            sql: "SELECT EXISTS (SELECT FROM pg_database WHERE datname = 'ledger')",
            isReadOnly: true
        )
        if try !admin.query(known).bool(0, 0) { try admin.execute("CREATE DATABASE ledger") }
        let owner = try Connection(PostgresConfiguration(postgres.conninfo(database: "ledger")))
        defer { owner.close() }
        try Migrations.apply(to: owner)
        try owner.execute(Self.makeLogin)
    }

    /// The daemon's login, with the rights that it has in production.
    private static let login = "ledgerd"
    private static let makeLogin = """
        DO $login$ BEGIN
          CREATE ROLE \(login) LOGIN IN ROLE ledger_daemon;
        EXCEPTION WHEN duplicate_object THEN
          NULL;  -- an earlier run made it
        END $login$
        """

    private func configuration(_ postgres: DevPostgres, root: [UInt8]) throws -> Configuration {
        let rootFile = folder + "/test-root.cer"
        try Data(root).write(to: URL(filePath: rootFile))
        let catalogFile = folder + "/catalog.json"
        try Data(DevCatalog.json.utf8).write(to: URL(filePath: catalogFile))
        return Configuration(
            listen: listen,
            database: postgres.conninfo(database: "ledger", user: Self.login),
            migrationDatabase: postgres.conninfo(database: "ledger"),
            requiresTokens: false,
            apps: [
                ServedApp(
                    bundleID: Story.bundleID,
                    appAppleID: Story.appAppleID,
                    environments: [.production, .sandbox]
                )
            ],
            trustedRoots: [rootFile],
            catalog: catalogFile
        )
    }

    /// The daemon's log goes to a file, so that the answers stand alone on the terminal.
    private func openLog() throws -> Int32 {
        let path = folder + "/daemon.log"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        guard descriptor >= 0 else { throw DevError("The file \(path) cannot be written.") }
        return descriptor
    }

    private func tell(_ story: Story, to client: LoopbackClient, signedBy chain: TestChain) throws {
        let signer = NotificationSigner(signer: DocumentSigner(chain: chain))
        var position = Position.start
        for notification in story.notifications {
            let body = Array("{\"signedPayload\":\"".utf8) + (try signer.sign(notification)) + Array("\"}".utf8)
            let answer = try client.post("/v1/notifications", body: body)
            guard answer.status == 200, let accepted = try? JSONDecoder().decode(Accepted.self, from: Data(answer.body))
            else {
                throw DevError("The daemon refused the story: \(String(decoding: answer.body, as: UTF8.self))")
            }
            position = max(position, Position(accepted.position))
        }
        Terminal.say("Sent \(story.notifications.count) notifications; the ledger stands at \(position).\n")
        for customer in Story.customers {
            let answer = try client.get(
                "/v1/entitlements?appTransactionId=\(customer.appTransactionID)&minPosition=\(position)&waitMs=10000"
            )
            guard answer.status == 200 else {
                throw DevError("The daemon did not answer: \(String(decoding: answer.body, as: UTF8.self))")
            }
            Terminal.say(try StoryAnswer(answer.body).text(for: customer))
        }
    }

    private func printHints(port: UInt16) {
        let base = "http://127.0.0.1:\(port)"
        Terminal.say(
            """
            The daemon serves on \(base); Ctrl-C stops it and PostgreSQL. Try:

              curl '\(base)/v1/entitlements?appTransactionId=\(Story.subscriber.appTransactionID)'
              curl '\(base)/v1/entitlements?originalTransactionId=560001100000021'
              curl -d '{"signedPayload":"not.a.document"}' '\(base)/v1/notifications'
            """
        )
    }
}

/// What a notification is answered with.
private struct Accepted: Decodable {
    var position: Int64
}

/// One `ledgerd dev` a folder.
private enum DevLock {
    static func take(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Held until the process ends.
        let descriptor = unsafe open(folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw DevError("Another ledgerd dev runs in \(folder); stop it first.")
        }
    }
}

/// The catalog of the story, as a file.
private enum DevCatalog {
    static let json = """
        {
          "products": {
            "com.example.pro.monthly": { "entitlement": "pro", "level": 1 },
            "com.example.lifetime": { "entitlement": "pro", "level": 1 },
            "com.example.coins.500": { "unit": "coins", "units": 500, "rounding": "down" }
          }
        }

        """
}
