import HTTPServer
import LedgerCore
import Postgres
import Projections

/// What lives in a loop's thread: the read connections, the questions on them, and the routes that answer from them.
///
/// `@unchecked Sendable` so that the parts can be made on one thread and used on the loop's: between the two, nobody
/// touches them, and afterwards only the loop does (``HTTPServer/onLoop(_:)``).
final class LoopRoom: @unchecked Sendable {
    /// Reaches this loop from other threads.
    let hand = LoopHand()
    /// What this loop counts.
    let tally = LoopTally()
    let questions: CustomerQuestions
    let hot: HotReads
    let entitlements: EntitlementsRoute
    let batches: BatchRoute
    let lists: CustomerListRoutes
    private let connections: [NonBlockingConnection]
    private let sources: [any LoopSource]

    /// Read connections of a loop (DESIGN.md section 6 measured one loop with two).
    static let readConnections = 1
    /// Connections of a loop for batches of reads, which would keep single ones waiting.
    static let batchConnections = 1

    init(
        _ database: PostgresConfiguration,
        hotReadsBytes: Int,
        stated: StatedPosition,
        history: WorkPool,
        evaluation: WorkPool,
        catalogs: CatalogShelf,
        served: Set<StoreEnvironment>,
        findings: StatusFindings,
        clock: @escaping @Sendable () -> Instant
    ) {
        let single = (1...Self.readConnections).map { _ in NonBlockingConnection(database) }
        let batched = (1...Self.batchConnections).map { _ in CustomerBatchReader.connection(database) }
        let past = PastAnswers(pool: history, hand: hand, catalogs: catalogs)
        let following = hotReadsBytes > 0 ? NonBlockingConnection(database) : nil
        hot = HotReads(bytesMax: hotReadsBytes, following: following, catalogs: catalogs, stated: stated, tally: tally)
        connections = single + batched + [following].compactMap(\.self)
        questions = CustomerQuestions(CustomerReader(single, catalogs: catalogs), hot: hot, tally: tally)
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
        lists = CustomerListRoutes(questions, history: past, served: served, clock: clock)
        // These come first: what they hand over in a round, the connections send in the same one.
        sources = [questions, hot] + connections.map(DatabaseSource.init)
    }

    /// What a customer may use once the projection has come this far, as JSON; nil when it does not in time.
    ///
    /// From any thread.
    func ask(
        _ key: CustomerKey,
        _ environment: StoreEnvironment,
        at instant: Instant,
        _ minPosition: Position,
        completion: @escaping @Sendable ([UInt8]?) -> Void
    ) {
        let isTaken = hand.onLoop { room in
            room.entitlements.ask(
                key,
                environment,
                instant,
                minPosition,
                .now + TransactionsRoute.entitlementsWait
            ) { result in completion((try? result.get())?.entitlements) }
        }
        if !isTaken { completion(nil) }
    }

    func enter(_ server: HTTPServer) {
        for source in sources { server.add(source) }
        hand.reach(server, self)
    }

    func start() { for connection in connections { connection.start() } }

    func close() { for connection in connections { connection.close() } }
}
