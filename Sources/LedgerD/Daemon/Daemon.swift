import EventStore
import Glibc
import HTTPServer
import JWS
import LedgerCore
import Postgres
import Projections
import Synchronization
import Threads

/// The running service: one loop thread for HTTP and reads, verification threads, a writer, a follower.
///
/// Started in the order that data flows against, stopped in the order that it flows with, so that nothing that was
/// accepted is dropped.
final class Daemon: Sendable {
    private let log: Log
    private let health = Health()
    private let server: HTTPServer
    private let pool: VerificationPool
    private let writer: LedgerWriter
    private let database: PostgresConfiguration
    private let follower = Mutex<Follower?>(nil)
    private let isStopping = Atomic(false)

    /// Read connections in the loop (DESIGN.md section 6).
    static let readConnections = 2

    /// Builds the daemon and binds its address; serves from ``run()`` on.
    /// - Throws: a sentence about what is wrong with the configuration, or why the address cannot be had.
    init(_ configuration: Configuration, log: Log) throws {
        let inputs = try DaemonInputs(configuration)
        let database = Self.session(configuration.database)
        let metrics = IntakeMetrics()
        let verifier = try Verifier(roots: inputs.roots, apps: configuration.apps, clock: SystemClock.now)
        let pool = VerificationPool(threadCount: sysconf(Int32(_SC_NPROCESSORS_ONLN)), database: database)
        let writer = LedgerWriter(database, progress: health.log)
        self.log = log
        self.database = database
        self.pool = pool
        self.writer = writer
        let loop = LoopParts(database: database, catalog: inputs.catalog, apps: configuration.apps)
        let loopBox = LoopBox()
        let router = Router(authorize: { _, _ in nil })
        var http = HTTPServerConfiguration(address: configuration.listen.host, port: configuration.listen.port)
        http.refusalResponse = { Problem($0).response }
        server = try HTTPServer(configuration: http) { request, responder in router.handle(request, responder) }
        loopBox.server = server
        let notification = NotificationRoute(verifier: verifier, pool: pool, writer: writer, metrics: metrics)
        let entitlements = loop.entitlements
        let transactions = TransactionsRoute(verifier: verifier, pool: pool, writer: writer, metrics: metrics) {
            _, _, _, completion in completion(nil)
        }
        let status = StatusRoutes(health: health)
        router.add("POST", "/v1/notifications", scope: nil, notification.handle)
        router.add("POST", "/v1/transactions", scope: .ingest, transactions.handle)
        router.add("GET", "/v1/entitlements", scope: .read, entitlements.handle)
        router.add("GET", "/healthz", scope: nil, status.healthz)
        router.add("GET", "/readyz", scope: nil, status.readyz)
        router.add("GET", "/version", scope: nil, status.version)
    }
}
