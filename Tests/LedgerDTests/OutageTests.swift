import EventStore
import LedgerCore
import Synchronization
import TestSupport
import Testing

@testable import LedgerD

/// The database goes away while the daemon serves, and comes back.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct OutageTests {
    static let purchased = Instant.testNow.adding(days: -1)

    private static func signed(_ bench: DaemonBench, _ number: Int) throws -> [UInt8] {
        try bench.store.notification(
            Sample.notification(
                Sample.transaction("560\(number)", product: "com.example.\(number)", purchased: purchased)
            )
        )
    }

    /// Asks until the condition holds, and returns the last answer.
    private static func ask(
        until condition: (Answer) -> Bool,
        _ ask: () throws -> Answer
    ) throws -> Answer {
        let limit = ContinuousClock.now + .seconds(120)
        while true {
            let answer = try ask()
            if condition(answer) || ContinuousClock.now > limit { return answer }
        }
    }

    @Test func `everything that needs the database says so, and works again by itself`() async throws {
        try await withDaemon { bench, client throws in
            let past = "&at=\(Instant.testNow.milliseconds - 1)"
            #expect(try client.notify(try Self.signed(bench, 1)).position == 2)
            #expect(try client.entitlements("transactionId=5601&minPosition=2").status == 200)
            #expect(try client.entitlements("transactionId=5601&minPosition=2\(past)").status == 200)
            #expect(try Self.ask(until: { $0.status == 200 }) { try client.get("/readyz") }.status == 200)
            try bench.database.lockOut()
            let second = try Self.signed(bench, 2)
            for _ in 1...3 { expectProblem(try client.notify(second), 503, "storeUnavailable", retryable: true) }
            let document = try bench.store.document(Sample.transaction("5603", purchased: Self.purchased))
            let posted = try client.post(transactions: [document])
            expectProblem(posted, 503, "storeUnavailable", retryable: true)
            #expect(posted["results"]?[0]?["safeToFinish"]?.boolean == false)
            for at in ["", past] {
                for _ in 1...2 {
                    let read = try client.entitlements("transactionId=5601\(at)")
                    expectProblem(read, 503, "storeUnavailable", retryable: true)
                }
            }
            let renewal = Sample.renewal(Sample.subscription("5601", purchased: Self.purchased), signed: Self.purchased)
            let lone = try client.post(renewals: [try bench.store.document(renewal)])
            expectProblem(lone, 503, "storeUnavailable", retryable: true)
            let ready = try Self.ask(until: { $0.status == 503 }) { try client.get("/readyz") }
            #expect(ready.status == 503)
            #expect(ready["ready"]?.boolean == false && ready["database"]?.text == "unreachable")
            #expect(ready["problem"]?.text?.isEmpty == false)
            #expect(try client.get("/healthz").status == 200)
            // Bad documents are still told apart: that needs no database.
            expectProblem(try client.notify(Array("a.b.c".utf8)), 400, "malformed")

            try bench.database.letIn()
            let stored = try Self.ask(until: { $0.status == 200 }) { try client.notify(second) }
            #expect(stored["outcome"]?.text == "recorded")
            #expect(stored.position == 4)
            #expect(try Self.ask(until: { $0.status == 200 }) { try client.get("/readyz") }.status == 200)
            for at in ["", past] {
                let read = try Self.ask(until: { $0.status == 200 }) {
                    try client.entitlements("appTransactionId=\(Sample.customer)&minPosition=4\(at)")
                }
                #expect(read["entitlements"]?.items.count == 2)
            }
        }
    }

    /// What the posting threads saw.
    private struct Seen: Sendable {
        var positions: [Int: Int64] = [:]
        var refused = 0
        /// How often the database has gone away.
        var outages = 0
        var others: [String] = []
    }

    @Test func `what is acknowledged through outages is in the log, and all of it once`() async throws {
        try await withBench { bench throws in
            let daemon = try bench.start()
            let total = 240
            let documents = try (0..<total).map { try Self.signed(bench, $0) }
            let seen = Mutex(Seen())
            try concurrently(8) { thread in
                let client = try daemon.client()
                for number in stride(from: thread, to: total, by: 8) {
                    // However fast the daemon is, something is left to be refused in each outage.
                    let outagesBefore = number < total / 2 ? 0 : number < 3 * total / 4 ? 1 : 2
                    try wait(until: { seen.withLock { $0.outages } >= outagesBefore })
                    let answer = try Self.ask(until: { $0.status != 503 }) {
                        let answer = try client.notify(documents[number])
                        if answer.status == 503 { seen.withLock { $0.refused += 1 } }
                        return answer
                    }
                    seen.withLock { seen in
                        if answer.status == 200 { seen.positions[number] = answer.position }
                        if answer.status != 200 { seen.others.append(answer.text) }
                    }
                }
            } meanwhile: {
                for outage in 1...2 {
                    // Some are through, and some are under way.
                    try wait(until: { seen.withLock { $0.positions.count } >= outage * total / 4 })
                    let before = seen.withLock { $0.refused }
                    try bench.database.lockOut()
                    seen.withLock { $0.outages = outage }
                    try wait(until: { seen.withLock { $0.refused } >= before + 8 })
                    try bench.database.letIn()
                }
            }
            let result = seen.withLock { $0 }
            #expect(result.others == [])
            #expect(result.positions.count == total)
            let log = try LedgerState(bench.database)
            #expect(log.positions == Array(1...Int64(log.events.count)))
            #expect(log.counts == [.notification: total, .transaction: total])
            let transactions = Dictionary(
                uniqueKeysWithValues: log.events(of: .transaction).map {
                    ($0.position.rawValue, $0.transactionID?.rawValue)
                }
            )
            for (number, position) in result.positions { #expect(transactions[position] == "560\(number)") }
        }
    }

    @Test func `a daemon that starts without its database becomes ready when it comes`() async throws {
        try await withBench { bench throws in
            try bench.database.lockOut()
            let client = try bench.start().client()
            let ready = try client.get("/readyz")
            #expect(ready.status == 503)
            #expect(ready["schema"]?.text == "unknown")
            expectProblem(try client.notify(try Self.signed(bench, 1)), 503, "storeUnavailable", retryable: true)
            expectProblem(try client.entitlements("transactionId=1"), 503, "storeUnavailable", retryable: true)
            try bench.database.letIn()
            #expect(
                try Self.ask(until: { $0.status == 200 }) { try client.get("/readyz") }["schema"]?.text == "current"
            )
            #expect(
                try Self.ask(until: { $0.status == 200 }) { try client.notify(try Self.signed(bench, 1)) }.status == 200
            )
            let read = try Self.ask(until: { $0.status == 200 }) {
                try client.entitlements("transactionId=5601&minPosition=2")
            }
            #expect(read["entitlements"]?.items.count == 1)
        }
    }

    @Test func `without the schema the daemon says what to run, and stores nothing`() async throws {
        try await withDaemon { bench, client throws in
            _ = try Self.ask(until: { $0.status == 200 }) { try client.get("/readyz") }
            let other = try bench.start()
            try bench.database.execute("ALTER SCHEMA ledger RENAME TO ledger_away")
            let refused = try other.client().notify(try Self.signed(bench, 1))
            expectProblem(refused, 503, "storeUnavailable", retryable: true)
            try bench.database.execute("DELETE FROM ledger_schema.migrations")
            let late = try bench.start().client()
            let ready = try Self.ask(until: { $0["problem"]?.text != nil }) { try late.get("/readyz") }
            #expect(ready.status == 503)
            #expect(ready["problem"]?.text?.contains("ledgerd migrate") == true, "\(ready.text)")
        }
    }
}
