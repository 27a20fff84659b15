import EventStore
import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// An event that no version of ours wrote stops the projection in front of it, and nothing else.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct StoppedProjectionTests {
    private static func signed(_ bench: DaemonBench, _ number: Int) throws -> [UInt8] {
        try bench.store.notification(
            Sample.notification(
                Sample.transaction(
                    "560\(number)",
                    product: "com.example.\(number)",
                    purchased: Instant.testNow.adding(days: -1)
                )
            )
        )
    }

    /// Puts an event of a kind that nobody knows behind the last one, as somebody with a superuser's rights can.
    private static func spoil(_ database: TestDatabase) throws {
        try database.execute(
            """
            INSERT INTO ledger.events (position, recorded_at, kind, environment, source, digest, payload)
              SELECT position + 1, recorded_at, 99, 1, 1, substring(sha256('') FOR 16), '' FROM ledger.head;
            UPDATE ledger.head SET position = position + 1;
            """
        )
    }

    @Test func `appends, reads of what is there and the feed in front of it go on; readyz names the event`()
        async throws
    {
        try await withDaemon { bench, client throws in
            #expect(try client.notify(try Self.signed(bench, 1)).position == 2)
            #expect(try client.entitlements("transactionId=5601&minPosition=2").status == 200)
            try Self.spoil(bench.database)
            // Taken in, and durable, behind the event that stops the projection.
            #expect(try client.notify(try Self.signed(bench, 2)).position == 5)
            try wait(until: {
                try client.get("/readyz")["problem"]?.text?.contains("The event at position 3 has a kind") == true
            })
            let ready = try client.get("/readyz")
            #expect(ready.status == 503 && ready["ready"]?.boolean == false)
            #expect(try client.get("/healthz").status == 200)
            #expect(try client.notify(try Self.signed(bench, 3)).position == 7)
            let known = try client.entitlements("transactionId=5601")
            #expect(known.status == 200 && known.position == 2)
            #expect(known["entitlements"]?.items.count == 1)
            let past = try client.entitlements("transactionId=5601&at=\(Instant.testNow.milliseconds - 1)")
            #expect(past.status == 200 && past.position == 2)
            expectProblem(
                try client.entitlements("transactionId=5602&minPosition=5&waitMs=1"),
                409,
                "notYetProjected",
                retryable: true
            )
            let before = try client.get("/v1/events?limit=2")
            #expect(before.status == 200 && before["items"]?.items.count == 2)
            let behind = try client.get("/v1/events?after=3")
            #expect(behind["items"]?.items.compactMap { $0["position"]?.integer } == [4, 5, 6, 7])
            // Once it can be read the projection goes on by itself.
            try bench.database.execute(
                """
                SET session_replication_role = replica;
                UPDATE ledger.events SET kind = 10, received = '' WHERE position = 3;
                """
            )
            let later = try client.entitlements("transactionId=5602&minPosition=7&waitMs=20000")
            #expect(later.status == 200 && later["entitlements"]?.items.count == 1)
            // The follower tells of its position before it tells that it is well.
            try wait(until: { try client.get("/readyz").status == 200 })
        }
    }
}
