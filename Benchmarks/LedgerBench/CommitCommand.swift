internal import EventStore
internal import Glibc
internal import LedgerCore
internal import Postgres
internal import Synchronization

/// `commit`: clients that each wait for their event before they send the next one, spread over several writers as over
/// as many daemons.
///
/// With `--batch-max 1` every commit has one event; without it a writer gathers what waits, as a daemon does.
struct CommitCommand {
    private let conninfo: String
    private let writers: Int
    private let clients: Int
    private let batchMax: Int?
    private let seconds: Int
    private let seed: UInt64

    /// Before counting begins: sessions are opened and statements prepared.
    private static let warmUp: Int32 = 1

    init(_ options: inout Options) throws(BenchError) {
        conninfo = try options.required("database")
        writers = try options.requiredInteger("writers", in: 1...64)
        clients = try options.requiredInteger("clients", in: writers...LoadLimits.connectionsMax)
        batchMax = try options.integer("batch-max", in: 1...10_000)
        seconds = try options.requiredInteger("seconds", in: 1...3_600)
        seed = try options.integer("seed", in: 0...UInt64.max) ?? 1
        try options.finish()
    }

    func run() throws(BenchError) -> Int32 {
        let configuration = PostgresConfiguration(conninfo, applicationName: "LedgerBench")
        var limits = LedgerWriter.Limits()
        if let batchMax { limits.batchMax = batchMax }
        let writers = (0..<writers).map { _ in
            LedgerWriter(configuration, limits: limits, progress: ProgressBoard())
        }
        let counts = CommitCounts()
        for number in 0..<clients {
            CommitClient(SlimUnits(seed: seed, stream: UInt64(number)), writers[number % writers.count], counts).send()
        }
        sleep(UInt32(Self.warmUp))
        let (before, begin) = (counts.recorded, ContinuousClock.now)
        sleep(UInt32(seconds))
        let (after, end) = (counts.recorded, ContinuousClock.now)
        for writer in writers { writer.stop() }
        if let failure = counts.failure { throw .database(failure) }
        writeLine(json(events: after - before, end - begin), to: STDOUT_FILENO)
        return 0
    }

    private func json(events: Int, _ time: Duration) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("events", events)
        writer.member("perSecond", events.perSecond(in: time))
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// What all clients together got as answers.
private final class CommitCounts: Sendable {
    private let count = Atomic<Int>(0)
    private let firstFailure = Mutex<String?>(nil)

    var recorded: Int { count.load(ordering: .relaxed) }
    var failure: String? { firstFailure.withLock { $0 } }

    func add() { count.add(1, ordering: .relaxed) }

    func fail(_ reason: String) { firstFailure.withLock { $0 = $0 ?? reason } }
}

/// A client with one event under way, until its writer stops.
private final class CommitClient: Sendable {
    private let source: Mutex<SlimUnits>
    private let writer: LedgerWriter
    private let counts: CommitCounts

    init(_ source: SlimUnits, _ writer: LedgerWriter, _ counts: CommitCounts) {
        self.source = Mutex(source)
        self.writer = writer
        self.counts = counts
    }

    /// Sends an event, and the next one from its completion, which keeps the client alive.
    func send() {
        writer.submit(source.withLock { $0.transaction() }) { [self] result in
            switch result {
            case .success:
                counts.add()
                send()
            case .failure(.stopping): break
            case .failure(let error): counts.fail("\(error)")
            }
        }
    }
}
