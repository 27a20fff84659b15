import EventStore
import LedgerCore
import Postgres
import Synchronization
import TestSupport
import Testing
import Threads

/// Daemons tell each other how far the log has come.
///
/// The exchanges here look at the head when they connect and then once in an hour: what they learn later was announced.
@Suite("Progress exchange", .database, .timeLimit(.minutes(10)))
struct ProgressExchangeTests {
    /// A daemon's side: what it appended, what it knows of the log, and its exchange.
    private final class Side: Sendable {
        let appended = ProgressBoard()
        let log = ProgressBoard()
        private let exchange: ProgressExchange
        private let news: WaitSignal
        private let failures = FailureCount()

        init(_ database: TestDatabase, _ name: String) throws {
            var session = database.daemon
            session.applicationName = name
            let (news, failures) = (try WaitSignal(), failures)
            log.onAdvance { _ in news.wake() }
            self.news = news
            exchange = try ProgressExchange(session, appended: appended, log: log, pollInterval: .seconds(3600)) { _ in
                failures.add()
                news.wake()
            }
        }

        /// Waits until the log is known to have come to a position.
        func wait(for position: Position) { while log.position < position { _ = news.wait(for: .seconds(60)) } }

        /// Waits until the exchange has failed so often.
        func wait(forFailures count: Int) { while failures.count < count { _ = news.wait(for: .seconds(60)) } }

        func stop() { exchange.stop() }
    }

    private final class FailureCount: Sendable {
        private let state = Mutex(0)
        var count: Int { state.withLock { $0 } }
        func add() { state.withLock { $0 += 1 } }
    }

    /// Appends one document and lets a side know, as its writer does.
    private func append(_ id: String, _ log: LogHarness, _ side: Side?) throws -> Position {
        let document = try SimulatedStore.shared().verified(.transaction(id), as: .transaction)
        _ = try log.append(AppendUnit(document, source: .device))
        let head = try log.reader.head().position
        side?.appended.appended(upTo: head)
        return head
    }

    @Test func `what one daemon appends wakes the other, in both directions`() async throws {
        let database = TestDatabase.current
        try await database.asDaemon { connection throws in
            let log = LogHarness(connection)
            let sides = [try Side(database, "a"), try Side(database, "b")]
            defer { for side in sides { side.stop() } }
            // The first one may be seen when the sessions are opened; the others can only be heard.
            for number in 0..<8 {
                let position = try append("\(100 + number)", log, sides[number % 2])
                for side in sides { side.wait(for: position) }
                #expect(sides.allSatisfy { $0.log.position == position })
            }
        }
    }

    @Test func `what is announced is looked up, whoever says it`() async throws {
        let database = TestDatabase.current
        try await database.asDaemon { connection throws in
            let log = LogHarness(connection)
            let side = try Side(database, "a")
            defer { side.stop() }
            let first = try append("100", log, side)
            side.wait(for: first)
            for payload in ["999999", "", "-1", "nonsense", "9223372036854775807"] {
                try connection.execute("SELECT pg_notify('ledger_progress', '\(payload)')")
            }
            // Announced after the forgeries, and heard after them.
            let second = try append("101", log, nil)
            try connection.execute("SELECT pg_notify('ledger_progress', '\(second)')")
            side.wait(for: second)
            #expect(side.log.position == second)
        }
    }

    @Test func `a session that was ended is opened again, and what was said meanwhile is seen`() async throws {
        let database = TestDatabase.current
        try await database.asDaemon { connection throws in
            let log = LogHarness(connection)
            let sides = [try Side(database, "a"), try Side(database, "b")]
            defer { for side in sides { side.stop() } }
            let owner = try database.connect()
            defer { owner.close() }
            let first = try append("100", log, sides[0])
            for side in sides { side.wait(for: first) }
            for round in 1...3 {
                let ended = try owner.query(
                    Statement(
                        name: "end",
                        sql: """
                            SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity
                            WHERE datname = current_database() AND application_name IN ('a', 'b')
                            """
                    )
                ).int64(0, 0)
                #expect(ended > 0)
                for side in sides { side.wait(forFailures: round) }
                let position = try append("\(200 + round)", log, sides[round % 2])
                for side in sides { side.wait(for: position) }
            }
        }
    }

    @Test func `announcements gather: at most one in a few milliseconds, and the last position is among them`()
        async throws
    {
        let database = TestDatabase.current
        try await database.run { listener throws in
            try listener.listen(ProgressExchange.channel)
            let side = try Side(database, "a")
            defer { side.stop() }
            let started = ContinuousClock.now
            let last = 2000
            for position in 1...last { side.appended.appended(upTo: Position(Int64(position))) }
            var heard: [String] = []
            while heard.last != "\(last)" {
                heard += try listener.waitForNotifications(timeout: .seconds(60)).map(\.payload)
            }
            let most = Int((ContinuousClock.now - started) / ProgressExchange.announcePause) + 2
            #expect(heard.count <= most, "\(heard.count) announcements, at most \(most)")
            let positions = heard.compactMap(Int.init)
            #expect(positions == positions.sorted() && Set(positions).count == heard.count)
        }
    }
}
