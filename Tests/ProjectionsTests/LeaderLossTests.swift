import Dispatch
import EventStore
import LedgerCore
import Postgres
import Projections
import Synchronization
import TestSupport
import Testing

/// Two daemons' followers; whichever folds loses its session, again and again.
@Suite("Leader lost", .database, .timeLimit(.minutes(10)))
struct LeaderLossTests {
    private static let losses = 50
    /// How long the other follower may take, on a machine that does other things besides.
    private static let handOverMax: Duration = .seconds(10)

    @Test func `fifty losses of the follower that folds: no event is folded twice or never, and the other goes on`()
        async throws
    {
        let seed = UInt64.random(in: .min ... .max)
        print("leader lost: seed \(seed)")
        // Some pieces bring nothing new.
        let story = Story(seed: seed, count: Self.losses * 4, lines: 4)
        var random = SeededGenerator(seed: seed)
        let pieces = try story.units(.shared()).cut(into: 2...3, using: &random)
        let database = TestDatabase.current
        try await database.run { owner in
            let watch = ServerWatch(owner)
            try Moment.prepare(owner, watch)
            let log = ProgressBoard()
            let progress = Progress()
            let followers = try (0..<2).map { number in
                try Follower(
                    database.daemon("follower \(number)"),
                    log: log,
                    projected: progress.board(number),
                    catalogs: CatalogShelf(initial: .empty)
                ) {
                    progress.note($0)
                }
            }
            let writer = try ProjectionHarness(Connection(database.daemon("writer")))
            var lost: [String] = []
            var slowest: Duration = .zero
            for piece in pieces where lost.count < Self.losses {
                let moment = Moment.allCases[lost.count % Moment.allCases.count]
                try moment.choose(owner)
                try watch.hold()
                try writer.append(piece)
                let head = try writer.head
                log.appended(upTo: head)
                let leader = try watch.waitingBackend(for: .advisory) {
                    (try? writer.projection.position() == head) ?? false
                }
                let start = ContinuousClock.now
                if let leader {
                    lost.append(try owner.query(Self.nameOf, [.int4(leader)]).text(0, 0))
                    try watch.terminate(leader)
                }
                try watch.release()
                progress.wait(for: head)
                slowest = max(slowest, ContinuousClock.now - start)
            }
            for follower in followers { follower.stop() }
            print("leader lost: slowest hand-over \(slowest)")
            try writer.expectTablesEqualLog("seed \(seed)")
            #expect(lost.count == Self.losses, "seed \(seed)")
            #expect(Set(lost) == ["follower 0", "follower 1"], "seed \(seed)")
            #expect(progress.losses >= Self.losses, "seed \(seed)")
            #expect(slowest < Self.handOverMax, "seed \(seed)")
            writer.connection.close()
        }
    }

    private static let nameOf = Statement(
        name: "test_name_of",
        sql: "SELECT application_name FROM pg_stat_activity WHERE pid = $1",
        isReadOnly: true
    )
}

/// Where in its transaction the follower stands when it loses its session.
private enum Moment: String, CaseIterable {
    case linesWritten = "lines"
    case keysWritten = "line_keys"
    case cursorMoved = "cursors"
    case committing = "commit"

    /// Makes followers wait at the moment that ``choose(_:)`` names.
    static func prepare(_ owner: Connection, _ watch: ServerWatch) throws {
        try owner.execute(
            """
            CREATE TABLE public.test_moment (name text);
            INSERT INTO public.test_moment VALUES ('');
            GRANT SELECT ON public.test_moment TO PUBLIC;
            """
        )
        let isChosen = """
            (SELECT m.name = CASE TG_LEVEL WHEN 'ROW' THEN 'commit' ELSE TG_TABLE_NAME END FROM public.test_moment m)
            """
        for table in ["lines", "line_keys", "cursors"] {
            try watch.pauseChanges(of: "projection.\(table)", while: isChosen)
        }
        try owner.execute(
            """
            CREATE CONSTRAINT TRIGGER test_pause_commit AFTER UPDATE ON projection.cursors
              DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.test_pause();
            """
        )
    }

    func choose(_ owner: Connection) throws {
        _ = try owner.query(Self.update, [.text(rawValue)])
    }

    private static let update = Statement(name: "test_choose", sql: "UPDATE public.test_moment SET name = $1")
}

/// What the two followers reported.
private final class Progress: Sendable {
    private let boards = [ProgressBoard(), ProgressBoard()]
    private let lossCount = Atomic<Int>(0)
    private let news = DispatchSemaphore(value: 0)

    func board(_ number: Int) -> ProgressBoard { boards[number] }

    func note(_ report: Follower.Report) {
        if case .unavailable = report { lossCount.add(1, ordering: .relaxed) }
        news.signal()
    }

    var losses: Int { lossCount.load(ordering: .relaxed) }

    /// Waits until one of the followers has folded up to a position.
    func wait(for position: Position) {
        while !boards.contains(where: { $0.position >= position }) { news.wait() }
    }
}
