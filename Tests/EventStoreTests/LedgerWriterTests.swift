import Dispatch
import EventStore
import LedgerCore
import Postgres
import Synchronization
import TestSupport
import Testing

/// The writer's thread: natural batches, limits, losses, the end.
@Suite("Ledger writer", .database, .timeLimit(.minutes(10)))
struct LedgerWriterTests {
    private static func units(_ range: Range<Int>) throws -> [AppendUnit] {
        let store = try SimulatedStore.shared()
        return try range.map { number in
            AppendUnit(try store.verified(.transaction("\(number)"), as: .transaction), source: .device)
        }
    }

    @Test func `what comes while an append is in flight is stored in the fewest batches, in order`() async throws {
        let units = try Self.units(0..<301)
        let database = TestDatabase.current
        try await database.run { connection throws in
            let advances = Counter()
            let progress = ProgressBoard()
            progress.onAdvance { _ in advances.add() }
            let writer = LedgerWriter(database.daemon, progress: progress)
            let outcomes = Outcomes()
            try connection.execute("BEGIN; SELECT 1 FROM ledger.head FOR UPDATE")
            outcomes.submit(units[0], to: writer)
            _ = try ServerWatch(connection).waitingBackend(for: .row)
            for unit in units.dropFirst() { outcomes.submit(unit, to: writer) }
            #expect(writer.waiting == 300)
            try connection.execute("COMMIT")
            writer.stop()
            // 1, then 256 and the other 44.
            #expect(advances.value == 3)
            #expect(outcomes.calls == Array(repeating: 1, count: 301))
            #expect(outcomes.positions == units.indices.map { Int64($0 + 1) })
            #expect(progress.position == Position(301))
            #expect(try LogHarness(connection).problems() == [])
        }
    }

    @Test func `completions of eight submitters are called once each`() async throws {
        let units = try Self.units(0..<160)
        let database = TestDatabase.current
        let writer = LedgerWriter(database.daemon, progress: ProgressBoard())
        let outcomes = Outcomes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for share in 0..<8 {
                group.addTask {
                    try await offPool {
                        for unit in units[(share * 20)..<(share * 20 + 20)] { outcomes.submit(unit, to: writer) }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await offPool { writer.stop() }
        #expect(outcomes.calls == Array(repeating: 1, count: 160))
        #expect(outcomes.positions.sorted() == (1...160).map { Int64($0) })
    }

    @Test(arguments: [true, false])
    func `past its limit it answers overloaded at once`(_ byBytes: Bool) async throws {
        let units = try Self.units(0..<12)
        let database = TestDatabase.current
        try await database.run { connection throws in
            var limits = LedgerWriter.Limits()
            if byBytes {
                limits.waitingBytesMax = units[1..<11].reduce(0) { $0 + $1.size }
            } else {
                limits.waitingMax = 10
            }
            let writer = LedgerWriter(database.daemon, limits: limits, progress: ProgressBoard())
            let outcomes = Outcomes()
            try connection.execute("BEGIN; SELECT 1 FROM ledger.head FOR UPDATE")
            outcomes.submit(units[0], to: writer)
            _ = try ServerWatch(connection).waitingBackend(for: .row)
            for unit in units.dropFirst() { outcomes.submit(unit, to: writer) }
            #expect(outcomes.calls == Array(repeating: 0, count: 11) + [1])
            #expect(outcomes.failures == ["10 documents wait to be stored; try again in a moment."])
            try connection.execute("COMMIT")
            writer.stop()
            #expect(outcomes.calls == Array(repeating: 1, count: 12))
            #expect(outcomes.positions == (1...11).map { Int64($0) })
        }
    }

    @Test func `stop stores what waits and then takes nothing more`() async throws {
        let units = try Self.units(0..<21)
        let database = TestDatabase.current
        try await database.run { connection throws in
            let writer = LedgerWriter(database.daemon, progress: ProgressBoard())
            let outcomes = Outcomes()
            try connection.execute("BEGIN; SELECT 1 FROM ledger.head FOR UPDATE")
            for unit in units.prefix(20) { outcomes.submit(unit, to: writer) }
            _ = try ServerWatch(connection).waitingBackend(for: .row)
            let stopped = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                writer.stop()
                stopped.signal()
            }
            try connection.execute("COMMIT")
            stopped.wait()
            #expect(outcomes.positions.count == 20)
            outcomes.submit(units[20], to: writer)
            #expect(outcomes.failures == [EventStoreError.stopping.description])
            #expect(try EventReader(connection).head().position == Position(20))
        }
    }

    @Test func `a session that is ended in the middle of an append is replaced and nothing is lost`() async throws {
        let units = try Self.units(0..<5)
        let database = TestDatabase.current
        try await database.run { connection throws in
            let writer = LedgerWriter(database.daemon, progress: ProgressBoard())
            let outcomes = Outcomes()
            let watch = ServerWatch(connection)
            try watch.pauseChanges(of: "ledger.events")
            try watch.hold()
            outcomes.submit(units[0], to: writer)
            let backend = try #require(try watch.waitingBackend(for: .advisory))
            for unit in units.dropFirst() { outcomes.submit(unit, to: writer) }
            try watch.terminate(backend)
            try watch.release()
            writer.stop()
            #expect(outcomes.failures.isEmpty)
            #expect(outcomes.positions == [1, 2, 3, 4, 5])
            #expect(try LogHarness(connection).problems() == [])
        }
    }

    @Test func `one unit that the database refuses does not take its neighbours along`() async throws {
        var units = try Self.units(0..<9)
        units[4].events[0].digest = units[4].events[0].digest
        units[4].events[0].headerSegment = nil
        let database = TestDatabase.current
        let list = units
        try await database.run { connection throws in
            let writer = LedgerWriter(database.daemon, progress: ProgressBoard())
            let outcomes = Outcomes()
            try connection.execute("BEGIN; SELECT 1 FROM ledger.head FOR UPDATE")
            outcomes.submit(list[0], to: writer)
            _ = try ServerWatch(connection).waitingBackend(for: .row)
            for unit in list.dropFirst() { outcomes.submit(unit, to: writer) }
            try connection.execute("COMMIT")
            writer.stop()
            #expect(outcomes.calls == Array(repeating: 1, count: 9))
            #expect(outcomes.failures.count == 1)
            #expect(outcomes.failures.first?.contains("events_signed_form") == true)
            #expect(outcomes.positions == (1...8).map { Int64($0) })
        }
    }

    @Test func `without the database it answers unavailable, and goes on when it is back`() async throws {
        let units = try Self.units(0..<4)
        try await offPool {
            let cluster = try PrivateCluster()
            defer { try? cluster.remove() }
            let owner = try Connection(cluster.configuration)
            try Migrations.apply(to: owner)
            owner.close()
            var limits = LedgerWriter.Limits()
            limits.retryPause = .zero
            let writer = LedgerWriter(cluster.configuration, limits: limits, progress: ProgressBoard())
            let outcomes = Outcomes()
            outcomes.submit(units[0], to: writer)
            outcomes.wait(for: 1)
            try cluster.crash()
            outcomes.submit(units[1], to: writer)
            outcomes.wait(for: 1)
            #expect(outcomes.failures.count == 1)
            #expect(outcomes.failures.first?.hasPrefix("The ledger's database is not available: ") == true)
            try cluster.start()
            for unit in units[1...] { outcomes.submit(unit, to: writer) }
            outcomes.wait(for: 3)
            writer.stop()
            #expect(outcomes.positions == [1, 2, 3, 4])
            #expect(outcomes.failures.count == 1)
        }
    }
}

/// A number that several threads raise.
private final class Counter: Sendable {
    private let number = Atomic<Int>(0)
    func add() { number.add(1, ordering: .relaxed) }
    var value: Int { number.load(ordering: .relaxed) }
}
