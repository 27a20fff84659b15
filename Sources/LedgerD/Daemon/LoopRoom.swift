import HTTPServer
import LedgerCore
import Postgres
import Projections
import Synchronization

/// What lives in the loop's thread: the read connections, the questions on them, and the routes that answer from them.
///
/// `@unchecked Sendable` so that the parts can be made on one thread and used on the loop's: between the two, nobody
/// touches them, and afterwards only the loop does (``HTTPServer/onLoop(_:)``).
final class LoopRoom: @unchecked Sendable {
    let questions: CustomerQuestions
    let hot: HotReads
    let entitlements: EntitlementsRoute
    let feedClock: FeedClock
    let batches: BatchRoute
    let lists: CustomerListRoutes
    let registerClock: RegisterClock
    private let connections: [NonBlockingConnection]
    private let sources: [any LoopSource]

    /// Read connections in the loop (DESIGN.md section 6).
    static let readConnections = 2
    /// Connections for batches of reads, which would keep single ones waiting.
    static let batchConnections = 2

    init(
        _ database: PostgresConfiguration,
        hotReadsBytes: Int,
        history: WorkPool,
        evaluation: WorkPool,
        streams: StreamReaders<FeedWork>,
        registers: StreamReaders<RegisterWork>,
        hand: LoopHand,
        catalogs: CatalogShelf,
        served: Set<StoreEnvironment>,
        findings: StatusFindings,
        clock: @escaping @Sendable () -> Instant
    ) {
        let single = (1...Self.readConnections).map { _ in NonBlockingConnection(database) }
        let batched = (1...Self.batchConnections).map { _ in CustomerBatchReader.connection(database) }
        let past = PastAnswers(pool: history, hand: hand, catalogs: catalogs)
        let following = hotReadsBytes > 0 ? NonBlockingConnection(database) : nil
        hot = HotReads(bytesMax: hotReadsBytes, following: following, catalogs: catalogs)
        connections = single + batched + [following].compactMap(\.self)
        questions = CustomerQuestions(CustomerReader(single, catalogs: catalogs), hot: hot)
        entitlements = EntitlementsRoute(
            questions,
            hot: hot,
            history: past,
            catalogs: catalogs,
            served: served,
            findings: findings,
            clock: clock
        )
        batches = BatchRoute(
            questions,
            hot: hot,
            reader: CustomerBatchReader(batched, catalogs: catalogs),
            pool: evaluation,
            history: past,
            catalogs: catalogs,
            served: served,
            clock: clock
        )
        feedClock = FeedClock(streams)
        lists = CustomerListRoutes(questions, history: past, served: served, clock: clock)
        registerClock = RegisterClock(registers)
        // These come first: what they hand over in a round, the connections send in the same one.
        sources = [questions, hot] + connections.map(DatabaseSource.init) + [feedClock, registerClock]
    }

    func enter(_ server: HTTPServer) {
        for source in sources { server.add(source) }
    }

    func start() { for connection in connections { connection.start() } }

    func close() { for connection in connections { connection.close() } }
}

/// Reaches the loop from other threads, and from what is made before the server.
final class LoopHand: Sendable {
    private let place = Mutex<(server: HTTPServer, room: LoopRoom)?>(nil)

    func reach(_ server: HTTPServer, _ room: LoopRoom) { place.withLock { $0 = (server, room) } }

    /// Lets go of the server; afterwards no work is taken.
    func leave() { place.withLock { $0 = nil } }

    /// Works on the loop's thread; false when the loop has ended or too much waits, and the work is dropped.
    func onLoop(_ work: @escaping @Sendable (LoopRoom) -> Void) -> Bool {
        guard let (server, room) = place.withLock({ $0 }) else { return false }
        return server.onLoop { work(room) }
    }
}
