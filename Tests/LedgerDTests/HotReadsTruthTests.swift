import EventStore
import LedgerCore
import Postgres
import Projections
import Synchronization
import TestSupport
import Testing

@testable import LedgerD

/// Kept answers of several daemons while events come in through one of them and tables are rebuilt and switched: each
/// answer is compared with a fold of the log up to the position that it states.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct HotReadsTruthTests {
    private static let stories = 6
    private static let readersPerDaemon = 2
    private static let connectionsPerReader = 4
    private static let rebuilds = 2
    /// After so many documents the load waits for an answer that states the last, however slow the readers are.
    private static let documentsUnseenMax = 3

    /// What was answered: only the first of equal answers at a position is kept.
    private struct Told: Hashable, Sendable {
        var query: String
        var position: Int64
        var at: Instant
        var body: JSONValue
    }

    @Test(arguments: 1...3 as ClosedRange<Int>)
    func `no answer of any daemon states a position without what that position brought`(
        _ loopCount: Int
    ) async throws {
        let seed = UInt64.random(in: .min ... .max)
        print("hot reads of two daemons with \(loopCount) loops each: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let stories = (0..<Self.stories).map { _ in RandomStory(&random) }
        let keys = Set(stories.flatMap(\.keys)).sorted()
        let documents = stories.flatMap(\.documents).shuffled(using: &random)
        try await withBench(DaemonSetup(loopCount: loopCount)) { bench throws in
            // After everything is signed.
            bench.clock.now = RandomStory.start.adding(days: 260)
            let daemons = try (0..<2).map { _ in try bench.start() }
            let told = Mutex<Set<Told>>([])
            let isOver = Atomic(false)
            let newestTold = Atomic<Int64>(0)
            let load = {
                defer { isOver.store(true, ordering: .relaxed) }
                let client = try daemons[0].client()
                for (number, document) in documents.enumerated() {
                    let recorded = try client.notify(try bench.store.notification(document))
                    let position = try #require(recorded.position, "\(recorded)")
                    // A time that ends some of the kept answers.
                    if number % 20 == 0 { bench.clock.advance(days: 1) }
                    if number % (documents.count / Self.rebuilds) == 10 { try Self.rebuild(bench) }
                    if number.isMultiple(of: Self.documentsUnseenMax) {
                        try wait(until: { newestTold.load(ordering: .relaxed) >= position })
                    }
                }
            }
            try concurrently(
                daemons.count * Self.readersPerDaemon,
                { number in
                    // In whatever loops of the daemon.
                    let clients = try (0..<Self.connectionsPerReader).map { _ in
                        try daemons[number % daemons.count].client()
                    }
                    var random = SeededGenerator(seed: seed &+ UInt64(number))
                    var newest: Int64 = 0
                    while !isOver.load(ordering: .relaxed) {
                        let query = keys[Int.random(in: keys.indices, using: &random)]
                        let client = clients[Int.random(in: clients.indices, using: &random)]
                        let answer = try client.entitlements(query)
                        let position = try #require(answer.position)
                        #expect(position >= newest, "an answer of one daemon went back, seed \(seed)")
                        newest = position
                        let at = try #require(answer["at"]?.text.flatMap(Instant.init(query:)))
                        let item = Told(query: query, position: position, at: at, body: answer.json)
                        told.withLock { _ = $0.insert(item) }
                        newestTold.max(position, ordering: .relaxed)
                    }
                },
                meanwhile: load
            )
            for daemon in daemons {
                let metrics = try MetricsReading(try daemon.client().get("/metrics").text)
                let (hits, touched) = (
                    metrics["ledgerd_hot_reads_total{result=\"hit\"}"] ?? 0,
                    metrics["ledgerd_hot_dropped_answers_total{reason=\"touched\"}"] ?? 0
                )
                print("hits \(hits), dropped because touched \(touched)")
                #expect(hits > 0 && touched > 0, "seed \(seed)")
            }
            try Self.judge(told.withLock { $0 }, try LedgerState(bench.database), "seed \(seed)")
        }
    }

    private static func rebuild(_ bench: DaemonBench) throws {
        let owner = try bench.database.connect()
        defer { owner.close() }
        let rebuild = Rebuild(owner)
        try rebuild.fold { _ in }
        #expect(try rebuild.compare(replaces: true).differing == [])
    }

    private static func judge(_ told: Set<Told>, _ log: LedgerState, _ comment: Comment) throws {
        print("\(told.count) different answers over \(log.events.count) events")
        let byPosition = Dictionary(grouping: told, by: \.position)
        #expect(byPosition.count > 20, comment)
        var facts = FactSet()
        for event in log.events.map(\.event) {
            facts.fold(event)
            for item in byPosition[event.position.rawValue] ?? [] {
                let parts = item.query.split(separator: "=").map(String.init)
                let key = try #require(CustomerKey(name: parts[0], value: parts[1]))
                let answer = CustomerAnswer(
                    context: AnswerContext(
                        environment: .production,
                        key: key,
                        at: item.at,
                        position: event.position
                    ),
                    facts: facts.customer(key, in: .production),
                    catalog: .empty
                )
                let expected = try JSONReader.value(of: answer.entitlements)
                #expect(item.body == expected, "\(comment), \(item.query) at \(item.position)")
            }
        }
    }
}
