import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

/// Reports of used units in the log: each key once in an environment.
@Suite("Log: usage", .database, .timeLimit(.minutes(10)))
struct UsageLogTests {
    private static func usage(_ amount: Int64 = 5, _ key: String = "a", holder: CustomerKey? = nil) throws -> Usage {
        try Usage(
            holder: holder ?? .appTransactionID(AppTransactionID(rawValue: "7")),
            unit: "coins",
            amount: amount,
            idempotencyKey: IdempotencyKey(rawValue: key)
        )
    }

    private static func record(
        _ usage: Usage,
        _ connection: Connection,
        in environment: StoreEnvironment = .production
    ) throws -> [Int64] {
        let digest = DocumentDigest(testPayload: usage.json)
        let (position, outcome) = try UsageLog(connection).record(usage, in: environment, digest: digest)
        return [position.rawValue, Int64(outcome.rawValue)]
    }

    @Test func `a report again is a duplicate, another one under its key a conflict that records nothing`() async throws
    {
        try await TestDatabase.current.asDaemon { connection throws in
            #expect(try Self.record(Self.usage(), connection) == [1, 1])
            #expect(try Self.record(Self.usage(), connection) == [1, 2])
            #expect(try Self.record(Self.usage(6), connection) == [1, 3])
            #expect(try Self.record(Self.usage(5, "b"), connection) == [2, 1])
            // Nothing crosses environments.
            #expect(try Self.record(Self.usage(), connection, in: .sandbox) == [3, 1])
            let log = LogHarness(connection)
            let events = try log.all().map(\.event)
            #expect(events.map(\.kind) == [.usage, .usage, .usage])
            #expect(events.map(\.environment) == [.production, .production, .sandbox])
            #expect(events.map(\.appTransactionID?.rawValue) == ["7", "7", "7"])
            #expect(events.allSatisfy { $0.source == .operator && $0.signedAt == nil })
            #expect(try Usage(json: events[0].payload) == Self.usage())
            #expect(try log.problems() == [])
        }
    }

    @Test func `the event names whom the report names`() async throws {
        let token = "0aa7a1f0-6d4e-4bd5-9a53-000000000001"
        try await TestDatabase.current.asDaemon { connection throws in
            let holders: [CustomerKey] = [
                .transactionID(TransactionID(rawValue: "1")),
                .originalTransactionID(OriginalTransactionID(rawValue: "2")),
                .appTransactionID(AppTransactionID(rawValue: "3")),
                .appAccountToken(AppAccountToken(rawValue: token)),
            ]
            for (index, holder) in holders.enumerated() {
                _ = try Self.record(Self.usage(1, "\(index)", holder: holder), connection)
            }
            let events = try LogHarness(connection).all().map(\.event)
            #expect(events.map(\.transactionID?.rawValue) == ["1", nil, nil, nil])
            #expect(events.map(\.originalTransactionID?.rawValue) == [nil, "2", nil, nil])
            #expect(events.map(\.appTransactionID?.rawValue) == [nil, nil, "3", nil])
            #expect(events.map(\.appAccountToken?.rawValue) == [nil, nil, nil, token])
        }
    }

    @Test func `reports that come together with one key are one event`() async throws {
        let database = TestDatabase.current
        let results = try await withThrowingTaskGroup { group in
            for writer in 0..<8 {
                group.addTask {
                    var results: [[Int64]] = []
                    for number in 0..<20 {
                        results.append(
                            try await database.asDaemon { connection throws in
                                try Self.record(Self.usage(Int64(writer % 2 + 1), "\(number)"), connection)
                            }
                        )
                    }
                    return results
                }
            }
            return try await group.reduce(into: [[[Int64]]]()) { $0.append($1) }
        }
        for number in 0..<20 {
            let outcomes = results.map { $0[number] }
            #expect(outcomes.filter { $0[1] == 1 }.count == 1)
            #expect(outcomes.filter { $0[1] == 2 }.count == 3 && outcomes.filter { $0[1] == 3 }.count == 4)
            #expect(Set(outcomes.map { $0[0] }).count == 1)
        }
        try await database.asDaemon { connection throws in
            #expect(try LogHarness(connection).all().count == 20)
            #expect(try LogHarness(connection).problems() == [])
        }
    }

    @Test(arguments: ["ledger_reader", "ledger_auditor"])
    func `readers cannot report`(_ role: String) async throws {
        var session = TestDatabase.current.configuration
        session.settings["role"] = role
        let configuration = session
        try await offPool {
            let connection = try Connection(configuration)
            defer { connection.close() }
            let error = #expect(throws: EventStoreError.self) { try Self.record(Self.usage(), connection) }
            guard case .refused(let refusal) = error else {
                Issue.record("\(role) could report")
                return
            }
            #expect(refusal.state == .insufficientPrivilege)
        }
    }
}
