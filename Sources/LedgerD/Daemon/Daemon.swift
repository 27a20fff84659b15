import EventStore
import HTTPServer
import JWS
import LedgerCore
import Postgres
import Projections
import Synchronization
import Threads

/// The running service: loops for HTTP and reads, verification threads, a writer, a follower.
///
/// It is stopped in the order that data flows, so that nothing that was accepted is dropped.
final class Daemon: Sendable {
    private let log: Log
    private let health = Health()
    let loops: Loops
    private let streamClock: StreamClock
    private let pool: WorkPool
    private let history: WorkPool
    private let feedPool: WorkPool
    private let feed: FeedRoutes
    private let evaluation: WorkPool
    private let financePool: WorkPool
    private let writer: LedgerWriter
    private let database: PostgresConfiguration
    private let authorizer: Authorizer
    private let catalog: CatalogKeeper
    private let catalogs: CatalogShelf
    private let watch: ProjectionWatch
    private let stopping: WaitSignal
    /// Given for good when the database was looked at for the first time, whatever was found.
    private let firstLook: WaitSignal
    private let excess = Mutex<ExcessRights?>(nil)
    private let isDevelopment: Bool
    private let follower = Mutex<Follower?>(nil)
    private let exchange = Mutex<ProgressExchange?>(nil)
    /// How far this daemon itself has brought the log.
    private let appended = ProgressBoard()
    private let pollInterval: Duration

    /// Threads that answer questions about the past.
    private static let historyThreads = 2
    /// How long callers wait for the first look at the database; opening a session ends sooner.
    private static let firstLookMax: Duration = .seconds(10)
    /// Threads that read the log for pages, streams and single events.
    private static let feedThreads = 2
    /// Threads that read registers.
    private static let financeThreads = 2
    /// The pause before the database is tried again.
    private static let retryPause: Duration = .milliseconds(500)

    /// Builds the daemon and binds its address; it serves from ``run()`` on.
    ///
    /// The clock is what documents are judged by, and the `at` of questions that name none; `pollInterval` is how often
    /// the log is looked at without being woken; `loopCount` is how many loops there are, from 1.
    /// - Throws: ``InputError``, ``VerifierConfigurationError``, `DescriptorShortage` or `HTTPServerError`: a sentence for
    ///   the operator.
    init(
        _ configuration: Configuration,
        log: Log,
        clock: @escaping @Sendable () -> Instant = SystemClock.now,
        pollInterval: Duration = ProgressExchange.pollInterval,
        loopCount: Int = Loops.count
    ) throws {
        let inputs = try DaemonInputs(configuration)
        let database = DaemonSessions.configuration(configuration.database)
        let verifier = try Verifier(roots: inputs.roots, apps: configuration.apps, clock: clock)
        let served = configuration.apps.reduce(into: Set()) { $0.formUnion($1.environments) }
        let history = WorkPool("history", threadCount: Self.historyThreads, database: DaemonSessions.reading(database))
        let feedPool = WorkPool("feed", threadCount: Self.feedThreads, database: DaemonSessions.reading(database))
        let feed = FeedRoutes(pool: feedPool)
        let cores = Processors.count
        let evaluation = WorkPool("evaluate", threadCount: cores, database: DaemonSessions.reading(database))
        let findings = StatusFindings(log)
        let financePool = WorkPool(
            "finance",
            threadCount: Self.financeThreads,
            database: DaemonSessions.reading(database)
        )
        let catalogs = CatalogShelf(initial: inputs.catalog ?? .empty)
        let revocations = RevocationMetrics(catalogs: catalogs)
        let registers = RegisterRoutes(pool: financePool, catalogs: catalogs, served: served)
        let stated = StatedPosition()
        let rooms = Loops.parts(of: configuration.hotReadsBytes, loopCount).map { hotReadsBytes in
            LoopRoom(
                DaemonSessions.reading(database),
                hotReadsBytes: hotReadsBytes,
                stated: stated,
                history: history,
                evaluation: evaluation,
                catalogs: catalogs,
                served: served,
                findings: findings,
                clock: clock
            )
        }
        let pool = WorkPool("verify", threadCount: cores, database: database)
        let writer = LedgerWriter(database, progress: appended)
        let authorizer = Authorizer(isOn: configuration.requiresTokens)
        let intake = Intake(
            verifier: verifier,
            pool: pool,
            writer: writer,
            metrics: IntakeMetrics(),
            conflicts: ConflictLog(log)
        )
        let metrics = MetricsRoute()
        let router = Self.router(
            intake: intake,
            metrics: metrics,
            feed: feed,
            registers: registers,
            replays: ReplayRoute(pool: financePool, catalogs: catalogs, served: served),
            usage: UsageRoute(pool: pool, progress: appended, served: served),
            health: health,
            authorizer: authorizer,
            clock: clock
        )
        var http = HTTPServerConfiguration(address: configuration.listen.host, port: configuration.listen.port)
        http.refusalResponse = { Problem($0).response }
        loops = try Loops(http, router, rooms: rooms)
        streamClock = try StreamClock(feed: feed.streams, registers: registers.readers)
        metrics.tell(
            DaemonMetrics(
                http: loops.metrics,
                routes: router.listing,
                intake: intake,
                lag: ProjectionLag(log: health.log, projected: health.projected),
                loops: loops.tallies,
                feed: feed,
                findings: findings,
                revocations: revocations,
                pools: [("evaluate", evaluation), ("history", history), ("feed", feedPool)]
            )
        )
        stopping = try WaitSignal()
        firstLook = try WaitSignal()
        self.log = log
        self.pollInterval = pollInterval
        self.feedPool = feedPool
        self.feed = feed
        self.financePool = financePool
        self.pool = pool
        self.history = history
        self.evaluation = evaluation
        self.writer = writer
        self.database = database
        isDevelopment = configuration.isDevelopment
        self.authorizer = authorizer
        catalog = CatalogKeeper(path: configuration.catalog, catalog: inputs.catalog, log: log)
        self.catalogs = catalogs
        watch = ProjectionWatch(log, health: health, revocations: revocations)
    }

    private static func router(
        intake: Intake,
        metrics: MetricsRoute,
        feed: FeedRoutes,
        registers: RegisterRoutes,
        replays: ReplayRoute,
        usage: UsageRoute,
        health: Health,
        authorizer: Authorizer,
        clock: @escaping @Sendable () -> Instant
    ) -> Router {
        let notifications = NotificationRoute(intake: intake)
        let status = StatusRoutes(health: health)
        var router = Router(authorizer, health: health)
        router.add("POST", "/v1/notifications", needing: [], on: .log, notifications.handle)
        router.add("POST", "/v1/transactions", needing: [.ingest], on: .log) { request, responder, room in
            TransactionsRoute(intake: intake) { key, environment, position, completion in
                guard health.answersFromProjection else { return completion(nil) }
                room.ask(key, environment, at: clock(), position, completion: completion)
            }
            .handle(request, responder)
        }
        router.add("POST", "/v1/usage", needing: [.ingest], on: .log, usage.handle)
        router.add("GET", "/v1/entitlements", needing: [.read]) { $2.entitlements.handle($0, $1) }
        router.add("GET", "/v1/entitlements:explain", needing: [.read]) { $2.entitlements.explain($0, $1) }
        router.add("POST", "/v1/entitlements:batch", needing: [.read]) { $2.batches.handle($0, $1) }
        router.add("GET", "/v1/transactions", needing: [.read]) { $2.lists.transactions($0, $1) }
        router.add("GET", "/v1/timeline", needing: [.read]) { $2.lists.timeline($0, $1) }
        router.add("GET", "/healthz", needing: [], on: .daemon, status.healthz)
        router.add("GET", "/readyz", needing: [], on: .daemon, status.readyz)
        router.add("GET", "/version", needing: Scope.allCases, on: .daemon, status.version)
        router.add("GET", "/openapi.json", needing: Scope.allCases, on: .daemon, status.description)
        router.add("GET", "/metrics", needing: Scope.allCases, on: .daemon, metrics.handle)
        router.add("GET", "/v1/events", needing: [.audit], on: .log, feed.page)
        router.add("GET", "/v1/events:stream", needing: [.audit], on: .log, feed.stream)
        router.add("GET", "/v1/events/{position}", needing: [.audit], on: .log, feed.event)
        router.add("POST", "/v1/replays", needing: [.finance], replays.handle)
        for register in RegisterKind.allCases {
            router.add("GET", "/v1/registers/\(register.rawValue)", needing: [.finance], registers.handler(register))
        }
        return router
    }

    /// The port that the daemon listens on.
    var port: UInt16 { loops.port }

    /// Serves until ``stop()``, on the calling thread.
    ///
    /// Nobody is answered before the daemon has looked at its database; connections wait in the backlog meanwhile.
    /// - Throws: what its database login may do too much, when the first look finds that; nothing was served then. When
    ///   the database comes later, the daemon does not become ready instead, and goes on when that is put right.
    func run() throws(ExcessRights) {
        let keeper = WorkerThread(name: "housekeeper") { [self] in keepHouse() }
        _ = firstLook.wait(for: Self.firstLookMax)
        let refusal = excess.withLock { $0 }
        if refusal == nil {
            log.write(.info, "listening", ["http.port": "\(port)", "version": Version.number])
        } else {
            stop()
        }
        streamClock.run { loops.run() }
        // No request comes any more; what was accepted is finished in the order it flows.
        pool.stop()
        history.stop()
        feedPool.stop()
        evaluation.stop()
        financePool.stop()
        writer.stop()
        keeper.join()
        exchange.withLock { $0 }?.stop()
        follower.withLock { $0 }?.stop()
        loops.close()
        log.write(.info, "stopped")
        if let refusal { throw refusal }
    }

    /// Ends ``run()``; from any thread.
    func stop() {
        health.update { $0.isStopping = true }
        stopping.stop()
        firstLook.stop()
        // They would go on for ever.
        feed.streams.stop()
        loops.stop()
    }

    /// Reads the catalog's file again, and records it when it has changed; from any thread.
    func reloadCatalog() {
        catalog.reload()
        // Where this fails or finds no room, the housekeeper does it.
        _ = history.submit(size: 0) { [catalog, health] session in
            try? catalog.record(on: session.open(), progress: health.log)
        }
    }

    /// Waits for the database and its schema, starts the follower, then keeps the tokens fresh.
    private func keepHouse() {
        var connection: Connection?
        var pause = Duration.zero
        while !stopping.wait(for: pause) {
            do {
                let session = try connection ?? Connection(database)
                connection = session
                if !health.snapshot.schemaIsCurrent { try begin(session) }
                try catalog.record(on: session, progress: health.log)
                authorizer.replace(with: try TokenStore(session).all())
                let balances = health.answersFromProjection ? try RegisterReader.balances(on: session) : []
                health.update {
                    $0.databaseProblem = nil
                    $0.revocations = balances
                }
                health.open()
                pause = Authorizer.refreshInterval
            } catch {
                let sentence = "\(error)"
                excess.withLock { $0 = error as? ExcessRights }
                health.update { $0.databaseProblem = sentence }
                log.write(.warning, "the database cannot be used now", ["problem": sentence])
                connection = nil
                pause = Self.retryPause
            }
            firstLook.stop()
        }
        connection?.close()
    }

    /// Checks the schema and the login's rights, and starts what follows the log.
    private func begin(_ session: Connection) throws {
        try Migrations.verify(session)
        if let excess = try DaemonRights.excess(of: session) {
            guard isDevelopment else { throw excess }
            log.write(.warning, "the database login has more rights than it needs", ["problem": excess.description])
        }
        try checkShape(session)
        // Before anything is folded, so that the first answers know it.
        try catalog.record(on: session, progress: appended)
        // Called again when the second of them fails.
        if exchange.withLock({ $0 == nil }) { try startExchange() }
        try startFollower()
        health.update { $0.schemaIsCurrent = true }
    }

    /// Looks whether answers may come from the projection's tables; later the follower tells.
    private func checkShape(_ session: Connection) throws {
        do { _ = try FactProjection(session).position() } catch let mismatch as ShapeMismatch {
            watch.note(.misshapen(mismatch))
        }
    }

    /// Exchanges with other daemons how far the log has come, and wakes the streams of the feed.
    private func startExchange() throws {
        let exchange = try ProgressExchange(
            DaemonSessions.announcing(database),
            appended: appended,
            log: health.log,
            pollInterval: pollInterval
        ) { [log] error in
            log.write(.warning, "other daemons cannot be heard now", ["problem": error.description])
        }
        health.log.onAdvance { [streamClock] _ in streamClock.logAdvanced() }
        self.exchange.withLock { $0 = exchange }
    }

    private func startFollower() throws {
        let follower = try Follower(
            DaemonSessions.folding(database),
            log: health.log,
            projected: health.projected,
            catalogs: catalogs
        ) { [watch] report in watch.note(report) }
        health.projected.onAdvance { [streamClock, weak loops = loops] position in
            loops?.projectionAdvanced(to: position)
            streamClock.projectionAdvanced()
        }
        self.follower.withLock { $0 = follower }
    }
}
