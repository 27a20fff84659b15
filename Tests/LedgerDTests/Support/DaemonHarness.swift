import EventStore
import Foundation
import Glibc
import JWS
import LedgerCore
import Postgres
import StoreSimulator
import Synchronization
import TestSupport
import Testing
import Threads

@testable import LedgerD

/// What a test's daemon is configured with; the defaults suit the sample documents.
struct DaemonSetup: Sendable {
    var apps = [
        ServedApp(
            bundleID: BundleID(rawValue: Sample.bundleID),
            appAppleID: Sample.appAppleID,
            environments: [.production, .sandbox]
        )
    ]
    /// Certificates (DER) that are trusted besides the shared test chain's root.
    var otherRoots: [[UInt8]] = []
    /// Entries of `trustedRoots` instead of the shared test chain's root.
    var rootEntries: [String]?
    var catalog: JSONValue?
    var hotReadsBytes = Configuration.hotReadsBytesDefault
    var loopCount = Loops.count
    var requiresTokens = false
    var clock = ManualClock()
    /// The daemon's database login; nil: one with the rights of a daemon.
    var login: String?
    var isDevelopment = false
    /// Where daemons write their log; nowhere unless a test reads it.
    var log = Log(descriptor: RunningDaemon.nowhere)

    init() {}

    /// With so many loops, whatever the machine has cores.
    init(loopCount: Int) { self.loopCount = loopCount }

    /// With other environments for the tests' app.
    init(environments: Set<StoreEnvironment>) {
        apps = [
            ServedApp(
                bundleID: BundleID(rawValue: Sample.bundleID),
                appAppleID: Sample.appAppleID,
                environments: environments
            )
        ]
    }
}

/// What a test works with: the store that signs, the database, and daemons on it.
///
/// Used by the test's thread, except for what is `Sendable`.
final class DaemonBench: Sendable {
    let database: TestDatabase
    let setup: DaemonSetup
    let store: TestStore
    private let folder: URL
    private let running = Mutex<[RunningDaemon]>([])

    fileprivate init(_ setup: DaemonSetup, _ database: TestDatabase) throws {
        self.setup = setup
        self.database = database
        store = try TestStore.shared.get()
        folder = FileManager.default.temporaryDirectory.appending(path: "ledgerd-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    var clock: ManualClock { setup.clock }

    /// Starts a daemon on the test's database, on a free port; it is stopped after the test.
    ///
    /// `pollInterval` is how often it looks at the log without being woken.
    func start(pollInterval: Duration = ProgressExchange.pollInterval) throws -> RunningDaemon {
        let daemon = try RunningDaemon(configuration(), setup, pollInterval: pollInterval)
        running.withLock { $0.append(daemon) }
        return daemon
    }

    /// The configuration of this bench's daemons, with its files written.
    func configuration() throws -> Configuration {
        var roots = setup.rootEntries ?? []
        if setup.rootEntries == nil {
            for (number, root) in ([store.chain.root] + setup.otherRoots).enumerated() {
                roots.append(try write("root\(number).cer", root))
            }
        }
        // Of a word that stands there twice, libpq takes the last.
        let owner = database.configuration.conninfo + " dbname=\(database.name)"
        return Configuration(
            listen: try #require(Configuration.ListenAddress("127.0.0.1:0")),
            database: "\(owner) user=\(setup.login ?? TestDatabase.daemonLogin)",
            migrationDatabase: owner,
            requiresTokens: setup.requiresTokens,
            apps: setup.apps,
            trustedRoots: roots,
            isDevelopment: setup.isDevelopment,
            hotReadsBytes: setup.hotReadsBytes,
            catalog: try setup.catalog.map { try write("catalog.json", $0.bytes) }
        )
    }

    /// Writes a file into the test's folder.
    /// - Returns: its path.
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        return url.path(percentEncoded: false)
    }

    /// Records a version of the catalog, as a daemon with another file does.
    func record(catalog: JSONValue) throws {
        let path = try write("other.json", catalog.bytes)
        let connection = try database.connect()
        defer { connection.close() }
        try CatalogKeeper(path: path, catalog: try DaemonInputs.catalog(at: path), log: Log()).record(
            on: connection,
            progress: ProgressBoard()
        )
    }

    fileprivate func tearDown() {
        for daemon in running.withLock({ $0 }) { daemon.stop() }
        try? FileManager.default.removeItem(at: folder)
    }
}

/// Runs a test's body on a thread of its own, with a bench on the test's database.
func withBench(
    _ setup: DaemonSetup = DaemonSetup(),
    _ body: @escaping @Sendable (DaemonBench) throws -> Void
) async throws {
    let database = TestDatabase.current
    try await offPool {
        let bench = try DaemonBench(setup, database)
        defer { bench.tearDown() }
        try body(bench)
    }
}

/// Runs a test's body with a daemon and a connection to it.
func withDaemon(
    _ setup: DaemonSetup = DaemonSetup(),
    _ body: @escaping @Sendable (DaemonBench, DaemonClient) throws -> Void
) async throws {
    try await withBench(setup) { bench in
        let daemon = try bench.start()
        try body(bench, daemon.client())
    }
}

/// A daemon in this process, serving on a thread of its own.
final class RunningDaemon: Sendable {
    let port: UInt16
    private let daemon: Daemon
    private let thread: WorkerThread
    private let end = End()

    fileprivate init(_ configuration: Configuration, _ setup: DaemonSetup, pollInterval: Duration) throws {
        let clock = setup.clock
        let daemon = try Daemon(
            configuration,
            log: setup.log,
            clock: { clock.now },
            pollInterval: pollInterval,
            loopCount: setup.loopCount
        )
        self.daemon = daemon
        port = daemon.port
        let end = end
        thread = WorkerThread(name: "test daemon") {
            do throws(ExcessRights) { try daemon.run() } catch { end.refusal.withLock { $0 = error } }
            end.hasCome.store(true, ordering: .releasing)
        }
    }

    /// Its loops.
    var loops: Loops { daemon.loops }

    /// Whether every thread of the daemon has ended.
    var hasEnded: Bool { end.hasCome.load(ordering: .acquiring) }

    /// Waits for the end of a daemon that refuses to serve.
    /// - Returns: why it does.
    func waitForRefusal() -> ExcessRights? {
        thread.join()
        return end.refusal.withLock { $0 }
    }

    /// Stops serving; returns when every thread of the daemon has ended.
    ///
    /// A second call does nothing.
    func stop() {
        beginToStop()
        thread.join()
    }

    /// Tells the daemon to stop, as a signal does; what is under way goes on.
    func beginToStop() { daemon.stop() }

    /// What SIGHUP does.
    func reloadCatalog() { daemon.reloadCatalog() }

    /// A connection, to be used by one thread.
    func client() throws -> DaemonClient { DaemonClient(try TestClient(port: port)) }

    /// The end of the daemon, and why it came by itself.
    private final class End: Sendable {
        let hasCome = Atomic(false)
        let refusal = Mutex<ExcessRights?>(nil)
    }

    fileprivate static let nowhere: Int32 = {
        let descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC)
        precondition(descriptor >= 0, "/dev/null cannot be opened")
        return descriptor
    }()
}
