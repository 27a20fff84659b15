import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import LedgerD

/// Somebody else's session holds the row that numbers events, and does nothing.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct HeldHeadTests {
    @Test func `the daemon answers 503 in bounded time, still reads, and records by itself when it is let go`()
        async throws
    {
        try await withDaemon { bench, client throws in
            let documents = try (1...2).map { number in
                try bench.store.notification(
                    Sample.notification(Sample.transaction("560\(number)", purchased: .testNow))
                )
            }
            #expect(try client.notify(documents[0]).position == 2)
            let other = try bench.database.connect()
            defer { other.close() }
            try other.execute("BEGIN; SELECT 1 FROM ledger.head FOR UPDATE")
            let started = ContinuousClock.now
            expectProblem(try client.notify(documents[1]), 503, "storeUnavailable", retryable: true)
            let waited = ContinuousClock.now - started
            let limit = try #require(DaemonSessions.configuration("").lockTimeout)
            #expect(waited >= limit && waited < limit + .seconds(30), "it waited \(waited)")
            #expect(try client.entitlements("transactionId=5601&minPosition=2").status == 200)
            #expect(try client.get("/healthz").status == 200)
            try other.execute("COMMIT")
            let recorded = try client.notify(documents[1])
            #expect(recorded["outcome"]?.text == "recorded")
            #expect(recorded.position == 4)
            #expect(try LedgerState(bench.database).positions == [1, 2, 3, 4])
        }
    }
}
