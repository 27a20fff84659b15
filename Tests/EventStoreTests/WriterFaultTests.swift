import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

/// What the database's surroundings do to an append: the sender is told in bounded time, nothing is lost, nothing is
/// twice, and the writer goes on by itself.
@Suite("Writer: faults", .database, .timeLimit(.minutes(10)))
struct WriterFaultTests {
    private static func units(_ range: Range<Int>) throws -> [AppendUnit] {
        let store = try SimulatedStore.shared()
        return try range.map { number in
            AppendUnit(try store.verified(.transaction("\(number)"), as: .transaction), source: .device)
        }
    }

    /// Sends units, all of which must be answered as the database being unavailable with this condition.
    private static func expectRefusal(
        of units: [AppendUnit],
        with condition: String,
        _ outcomes: Outcomes,
        _ writer: LedgerWriter
    ) {
        let before = outcomes.failures.count
        for unit in units { outcomes.submit(unit, to: writer) }
        outcomes.wait(for: units.count)
        let failures = outcomes.failures.dropFirst(before)
        #expect(failures.count == units.count)
        for failure in failures {
            #expect(failure.hasPrefix("The ledger's database is not available: ") && failure.contains(condition))
        }
    }

    @Test func `an append that takes too long is cancelled, and stored once when it is sent again`() async throws {
        let units = try Self.units(0..<4)
        let database = TestDatabase.current
        try await database.run { connection throws in
            var session = database.daemon
            session.statementTimeout = .milliseconds(300)
            let writer = LedgerWriter(session, progress: ProgressBoard())
            let outcomes = Outcomes()
            let watch = ServerWatch(connection)
            outcomes.submit(units[0], to: writer)
            outcomes.wait(for: 1)
            // Each row has been inserted when the statement is held up: cancelling it must take them back.
            try watch.pauseChanges(of: "ledger.events")
            try watch.hold()
            Self.expectRefusal(of: [units[1], units[2]], with: "query_canceled", outcomes, writer)
            try watch.release()
            for unit in units[1...] { outcomes.submit(unit, to: writer) }
            writer.stop()
            #expect(outcomes.positions == [1, 2, 3, 4])
            #expect(try LogHarness(connection).problems() == [])
        }
    }

    @Test func `while another's idle transaction holds the head, senders are told, and all goes on when it lets go`()
        async throws
    {
        let units = try Self.units(0..<6)
        let database = TestDatabase.current
        try await database.run { connection throws in
            var session = database.daemon
            session.lockTimeout = .milliseconds(300)
            let writer = LedgerWriter(session, progress: ProgressBoard())
            let outcomes = Outcomes()
            outcomes.submit(units[0], to: writer)
            outcomes.wait(for: 1)
            for round in 0..<2 {
                try connection.execute("BEGIN; SELECT 1 FROM ledger.head FOR UPDATE")
                Self.expectRefusal(of: units.suffix(5), with: "lock_not_available", outcomes, writer)
                try connection.execute("COMMIT")
                outcomes.submit(units[round + 1], to: writer)
                outcomes.wait(for: 1)
            }
            for unit in units { outcomes.submit(unit, to: writer) }
            writer.stop()
            #expect(outcomes.positions == [1, 2, 3, 1, 2, 3, 4, 5, 6])
            #expect(try LogHarness(connection).problems() == [])
        }
    }

    @Test func `a session of ours that freezes with the head's lock is ended by the server, and the others go on`()
        async throws
    {
        let units = try Self.units(0..<2)
        let database = TestDatabase.current
        try await database.run { connection throws in
            var session = database.daemon
            session.idleInTransactionTimeout = .milliseconds(300)
            let frozen = try Connection(session)
            defer { frozen.close() }
            try frozen.execute("BEGIN; SELECT ledger.intern_header('frozen')")
            let writer = LedgerWriter(database.daemon, progress: ProgressBoard())
            let outcomes = Outcomes()
            for unit in units { outcomes.submit(unit, to: writer) }
            writer.stop()
            #expect(outcomes.positions == [1, 2])
            #expect(outcomes.failures.isEmpty)
            #expect(throws: PostgresError.self) { try frozen.execute("COMMIT") }
            let headers = Statement(name: "test_headers", sql: "SELECT count(*) FROM ledger.header_segments")
            #expect(try connection.query(headers).int64(0, 0) == 1)
            #expect(try LogHarness(connection).problems() == [])
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "a small disk cannot be mounted here: that takes root"))
    func `a full disk is said, and all goes on when there is room again`() async throws {
        // The rows of a page find room on it; these are many pages.
        let units = try Self.units(0..<1200)
        try await offPool {
            let cluster = try PrivateCluster()
            let disk = try SmallDisk(bytes: 4 << 20, account: try cluster.account)
            defer {
                try? cluster.remove()
                disk.remove()
            }
            let owner = try Connection(cluster.configuration)
            defer { owner.close() }
            try Migrations.apply(to: owner)
            // Outside a transaction, as PostgreSQL wants it.
            try owner.execute("CREATE TABLESPACE small LOCATION '\(disk.path)'")
            try owner.execute("ALTER TABLE ledger.events SET TABLESPACE small")
            var session = cluster.configuration
            session.settings["role"] = "ledger_daemon"
            let writer = LedgerWriter(session, progress: ProgressBoard())
            let outcomes = Outcomes()
            for unit in units[..<10] { outcomes.submit(unit, to: writer) }
            outcomes.wait(for: 10)
            try disk.fill()
            for unit in units[10...] { outcomes.submit(unit, to: writer) }
            outcomes.wait(for: units.count - 10)
            let failures = outcomes.failures
            #expect(!failures.isEmpty)
            for failure in failures {
                #expect(failure.hasPrefix("The ledger's database is not available: "))
                #expect(failure.contains("disk_full"))
            }
            try disk.free()
            let before = outcomes.positions
            for unit in units { outcomes.submit(unit, to: writer) }
            writer.stop()
            #expect(outcomes.failures == failures)
            let after = Array(outcomes.positions.dropFirst(before.count))
            #expect(after.sorted() == (1...Int64(units.count)).map { $0 })
            #expect(Array(after[..<10]) == Array(before[..<10]), "what was acknowledged stays where it was")
            #expect(try LogHarness(owner).problems() == [])
        }
    }
}
