import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

/// Events are never changed or removed (DESIGN invariant 4).
@Suite("Log: rights", .database, .timeLimit(.minutes(10)))
struct RightsTests {
    private func fill() async throws {
        let unit = AppendUnit(try SamplePurchase().notification(), source: .notification)
        try await TestDatabase.current.asDaemon { connection in _ = try LogHarness(connection).append(unit) }
    }

    private static let changes =
        ["events", "header_segments", "head"].flatMap { table in
            [
                "DELETE FROM ledger.\(table)", "TRUNCATE ledger.\(table)", "TRUNCATE ledger.\(table) CASCADE",

            ]
        } + [
            "INSERT INTO ledger.events SELECT * FROM ledger.events",
            "INSERT INTO ledger.head SELECT * FROM ledger.head",
            "INSERT INTO ledger.header_segments (header_id, segment) VALUES (9, 'x')",
            "UPDATE ledger.events SET payload = ''", "UPDATE ledger.header_segments SET segment = ''",
            "UPDATE ledger.events SET idempotency_key = 'other' WHERE kind = 7",
            "ALTER FUNCTION ledger.append_usage OWNER TO CURRENT_USER",
            "UPDATE ledger.head SET position = 0", "ALTER TABLE ledger.events DISABLE TRIGGER ALL",
            "DROP TABLE ledger.events", "CREATE TABLE ledger.other ()", "SET ROLE ledger_owner",
            "ALTER FUNCTION ledger.refuse_change() RENAME TO other",
        ]

    @Test(arguments: ["ledger_daemon", "ledger_reader", "ledger_auditor"])
    func `a role without ownership can change nothing`(_ role: String) async throws {
        try await TestDatabase.current.run { connection throws in
            // A session of the role itself: SET ROLE from a superuser's session would let it step back.
            try connection.execute("SET SESSION AUTHORIZATION \(role)")
            // In a loop, because each case would cost a database of its own.
            for change in Self.changes {
                do throws(PostgresError) {
                    try connection.execute(change)
                    Issue.record("\(role) could: \(change)")
                } catch {
                    #expect(error.state == .insufficientPrivilege, "\(change)")
                }
            }
        }
    }

    @Test(arguments: [
        "UPDATE ledger.events SET payload = '' WHERE position = 1", "DELETE FROM ledger.events WHERE position = 3",
        "TRUNCATE ledger.events", "UPDATE ledger.header_segments SET segment = 'x'",
        "DELETE FROM ledger.header_segments", "TRUNCATE ledger.header_segments", "DELETE FROM ledger.head",
        "TRUNCATE ledger.head",
    ])
    func `the triggers stop the owner and a superuser`(_ change: String) async throws {
        try await fill()
        try await TestDatabase.current.run { connection throws in
            let before = try LogHarness(connection).all().map(\.event.payload)
            for role in ["ledger_owner", "none"] {
                try connection.execute("SET ROLE \(role)")
                do {
                    try connection.execute(change)
                    Issue.record("role \(role) could: \(change)")
                } catch let error as PostgresError {
                    #expect(error.constraint == "append_only")
                    #expect(error.debugDescription.contains("is append-only"))
                }
            }
            #expect(try LogHarness(connection).all().map(\.event.payload) == before)
        }
    }

    @Test(arguments: ["ledger_reader", "ledger_auditor"])
    func `readers read and cannot append`(_ role: String) async throws {
        try await fill()
        let unit = AppendUnit(try SamplePurchase("200").transaction, source: .device)
        var session = TestDatabase.current.configuration
        session.settings["role"] = role
        let configuration = session
        try await offPool {
            let connection = try Connection(configuration)
            defer { connection.close() }
            let log = LogHarness(connection)
            #expect(try log.all().count == 3)
            #expect(try log.text(at: 1) != nil)
            do {
                _ = try log.append(unit)
                Issue.record("\(role) could append")
            } catch let error as PostgresError {
                #expect(error.state == .insufficientPrivilege)
            }
        }
    }

    @Test func `recorded_at never decreases, also when the clock does`() async throws {
        let units = try (1...3).map { AppendUnit(try SamplePurchase("\($0)").transaction, source: .device) }
        // A clock that was an hour ahead when the last batch was recorded.
        try await TestDatabase.current.run { connection throws in
            let log = LogHarness(connection)
            _ = try log.append(units[0])
            try connection.execute("UPDATE ledger.head SET recorded_at = recorded_at + 3600000")
        }
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let ahead = try log.reader.head().recordedAt
            _ = try log.append(units[1])
            _ = try log.append(units[2])
            let times = try log.all().map(\.event.recordedAt)
            #expect(times[0].adding(milliseconds: 3_600_000) == ahead)
            #expect(times[1] == ahead && times[2] == ahead)
            #expect(try log.reader.head().recordedAt == ahead)
            #expect(try log.problems() == [])
        }
    }
}
