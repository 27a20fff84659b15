import Dispatch
import EventStore
import LedgerCore
import Postgres
import Projections
import Synchronization
import TestSupport
import Testing

/// Followers of two daemons at once, and sessions that are ended in the middle of a fold.
@Suite("Follower", .database, .timeLimit(.minutes(10)))
struct FollowerTests {
    @Test(arguments: 20..<23 as Range<UInt64>)
    func `two followers whose sessions are ended in the middle leave the tables right`(_ seed: UInt64) async throws {
        let units = try Story(seed: seed, count: 90, lines: 4).units(.shared())
        var random = SeededGenerator(seed: seed)
        let pieces = units.cut(into: 1...15, using: &random)
        let database = TestDatabase.current
        try await database.run { owner in
            let watch = ServerWatch(owner)
            try watch.pauseChanges(of: "projection.lines")
            let log = ProgressBoard()
            let boards = [ProgressBoard(), ProgressBoard()]
            let history = History()
            let followers = try boards.enumerated().map { index, board in
                try Follower(
                    database.daemon("follower \(index)"),
                    log: log,
                    projected: board,
                    catalogs: CatalogShelf(initial: .empty)
                ) {
                    history.note(index, $0)
                }
            }
            let writer = try ProjectionHarness(Connection(database.daemon("writer")))
            for (number, piece) in pieces.enumerated() {
                let isKilled = number % 4 == 1
                if isKilled { try watch.hold() }
                try writer.append(piece)
                log.appended(upTo: try writer.head)
                guard isKilled else { continue }
                // It has written lines and stands before its commit; or there was nothing to fold.
                if let backend = try watch.waitingBackend(
                    for: .advisory,
                    unless: { (try? writer.projection.position() == writer.head) ?? false }
                ) {
                    try watch.terminate(backend)
                    history.killed()
                }
                try watch.release()
            }
            history.wait(for: try writer.head, on: boards)
            for follower in followers { follower.stop() }
            try writer.expectTablesEqualLog("seed \(seed)")
            #expect(history.kills > 0, "seed \(seed)")
            #expect(history.losses > 0, "seed \(seed)")
            for positions in history.advances { #expect(positions == positions.sorted(), "seed \(seed)") }
            writer.connection.close()
        }
    }

    @Test func `a follower that is woken folds what was appended`() async throws {
        let units = try Story(seed: 31, count: 12).units(.shared())
        let database = TestDatabase.current
        try await database.project { harness in
            let log = ProgressBoard()
            let board = ProgressBoard()
            let history = History()
            // It looks by itself once in an hour: every fold but the first comes from being woken.
            let follower = try Follower(
                database.daemon("follower"),
                log: log,
                projected: board,
                catalogs: CatalogShelf(initial: .empty),
                pollInterval: .seconds(3600)
            ) { history.note(0, $0) }
            for unit in units {
                try harness.append([unit])
                log.appended(upTo: try harness.head)
                history.wait(for: try harness.head, on: [board])
            }
            follower.stop()
            try harness.expectTablesEqualLog("woken")
        }
    }

    @Test func `an event that cannot be read is reported as the end`() async throws {
        let database = TestDatabase.current
        try await database.run { owner in
            try owner.execute(
                """
                INSERT INTO ledger.events (position, recorded_at, kind, environment, source, digest, payload)
                  VALUES (1, 0, 99, 1, 1, substring(sha256('') FOR 16), '');
                """
            )
            let reported = DispatchSemaphore(value: 0)
            let follower = try Follower(
                database.daemon("follower"),
                log: ProgressBoard(),
                projected: ProgressBoard(),
                catalogs: CatalogShelf(initial: .empty)
            ) {
                report in
                if case .stopped(let corruption) = report, corruption.position == Position(1) { reported.signal() }
            }
            reported.wait()
            follower.stop()
        }
    }
}

/// What followers reported.
private final class History: Sendable {
    private struct State {
        var advances: [[Position]] = [[], []]
        var losses = 0
        var kills = 0
    }

    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    func note(_ follower: Int, _ report: Follower.Report) {
        state.withLock { state in
            switch report {
            case .advanced(let position): state.advances[follower].append(position)
            case .unavailable: state.losses += 1
            case .stopped, .misshapen, .discovered: break
            }
        }
        news.signal()
    }

    func killed() { state.withLock { $0.kills += 1 } }

    /// Waits until each board has heard of a position.
    func wait(for position: Position, on boards: [ProgressBoard]) {
        while !boards.allSatisfy({ $0.position >= position }) { news.wait() }
    }

    var advances: [[Position]] { state.withLock { $0.advances } }
    var losses: Int { state.withLock { $0.losses } }
    var kills: Int { state.withLock { $0.kills } }
}
