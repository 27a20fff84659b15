import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// Answers that are kept in the daemon: when they are given again, and when not.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct HotReadsTests {
    private static let purchased = Instant.testNow.adding(days: -1)

    /// How many questions were answered from what is kept.
    private static func hits(_ client: DaemonClient) throws -> Double? {
        try MetricsReading(try client.get("/metrics").text)["ledgerd_hot_reads_total{result=\"hit\"}"]
    }

    /// Asks until the answer is a kept one; the first times it may come from the tables, because they know more.
    private static func askKept(_ client: DaemonClient, _ query: String) throws -> Answer {
        let before = try hits(client)
        var answer = try client.entitlements(query)
        try wait {
            answer = try client.entitlements(query)
            return try hits(client) != before
        }
        return answer
    }

    private static func catalog(_ entitlement: String) -> JSONValue {
        ["products": ["com.example.lifetime": ["entitlement": .string(entitlement)]]]
    }

    private static func post(_ bench: DaemonBench, _ client: DaemonClient, _ transaction: JSONValue) throws -> Int64 {
        try #require(try client.notify(try bench.store.notification(Sample.notification(transaction))).position)
    }

    @Test func `an answer is given again with the present's stamps, and goes on to state what the log has reached`()
        async throws
    {
        try await withDaemon { bench, client throws in
            try EntitlementsRouteTests.subscribe(bench, client)
            let first = try client.entitlements("transactionId=560001&minPosition=3")
            bench.clock.advance(milliseconds: 1)
            let kept = try Self.askKept(client, "transactionId=560001")
            #expect(kept.json == first.json.with(["at": .string(bench.clock.now.rfc3339)]))
            #expect(kept.headers["etag"] == first.headers["etag"])
            #expect(kept.headers["cache-control"] == first.headers["cache-control"])
            #expect(kept.headers["content-type"] == first.headers["content-type"])
            let tag = try #require(first.headers["etag"])
            let known = try client.send(
                "GET",
                "/v1/entitlements?transactionId=560001",
                headers: ["If-None-Match: \(tag)"]
            )
            #expect(known.status == 304 && known.body.isEmpty)
            // Somebody else buys something.
            let position = try Self.post(
                bench,
                client,
                Sample.transaction("560009", customer: "7050", purchased: Self.purchased)
            )
            var later = kept
            try wait {
                later = try client.entitlements("transactionId=560001")
                return later.position == position
            }
            #expect(later.json == kept.json.with(["position": .integer(position)]))
            #expect(try Self.askKept(client, "transactionId=560001").json == later.json)
        }
    }

    @Test func `what is appended is in every answer that states its position`() async throws {
        try await withDaemon { bench, client throws in
            let keys = ["transactionId=560001", "appTransactionId=\(Sample.customer)", "originalTransactionId=560001"]
            let transaction = Sample.transaction("560001", purchased: Self.purchased)
            for key in keys { #expect(try client.entitlements(key)["entitlements"]?.items.isEmpty == true) }
            for number in 1...20 {
                let isRefunded = number % 2 == 0
                let signed = Self.purchased.adding(milliseconds: Int64(number) * 1000)
                let rendering = isRefunded ? transaction.refunded(at: signed) : transaction
                let position = try Self.post(bench, client, rendering.with(["signedDate": .instant(signed)]))
                var answers: [Answer] = []
                try wait {
                    answers = try keys.map { try client.entitlements($0) }
                    for answer in answers where try #require(answer.position) >= position {
                        #expect(answer["entitlements"]?.items.count == (isRefunded ? 0 : 1), "round \(number)")
                    }
                    return answers.allSatisfy { $0.position.map { $0 >= position } ?? false }
                }
            }
            #expect(try Self.hits(client) ?? 0 > 0)
        }
    }

    @Test func `a caller that wants a position that is not reached waits or is told, whatever is kept`() async throws {
        try await withDaemon { bench, client throws in
            try EntitlementsRouteTests.subscribe(bench, client)
            _ = try client.entitlements("transactionId=560001&minPosition=3")
            _ = try Self.askKept(client, "transactionId=560001&minPosition=3")
            expectProblem(
                try client.entitlements("transactionId=560001&minPosition=4&waitMs=0"),
                409,
                "notYetProjected",
                retryable: true
            )
        }
    }

    @Test func `time alone ends a kept answer, and a clock that is set back finds what was true then`() async throws {
        try await withDaemon { bench, client throws in
            try EntitlementsRouteTests.subscribe(bench, client)
            let end = EntitlementsRouteTests.purchased.adding(days: 30)
            _ = try client.entitlements("transactionId=560001&minPosition=3")
            for (instant, count) in [(end.adding(milliseconds: -1), 1), (end, 0), (.testNow, 1), (end, 0)] {
                bench.clock.now = instant
                for answer in [
                    try client.entitlements("transactionId=560001"),
                    try Self.askKept(client, "transactionId=560001"),
                ] { #expect(answer["entitlements"]?.items.count == count, "at \(instant)") }
            }
        }
    }

    @Test func `a catalog changes kept answers, also one that is recorded ahead of the daemon's clock`() async throws {
        var setup = DaemonSetup()
        setup.catalog = Self.catalog("old")
        try await withBench(setup) { bench throws in
            let daemon = try bench.start()
            let client = try daemon.client()
            func name(_ answer: Answer) -> String? { answer["entitlements"]?.items.first?["entitlement"]?.text }
            let position = try Self.post(
                bench,
                client,
                Sample.transaction("560001", purchased: Self.purchased)
            )
            let reached = "transactionId=560001&waitMs=20000&minPosition="
            #expect(name(try client.entitlements("\(reached)\(position)")) == "old")
            #expect(name(try Self.askKept(client, "transactionId=560001")) == "old")
            _ = try bench.write("catalog.json", Self.catalog("new").bytes)
            daemon.reloadCatalog()
            try wait { try LedgerState(bench.database).events(of: .catalog).count == 2 }
            let version = try #require(try LedgerState(bench.database).events(of: .catalog).last)
            // The database's clock has recorded it; by the daemon's it is not in force yet.
            bench.clock.now = version.recordedAt.adding(milliseconds: -1)
            #expect(name(try client.entitlements("\(reached)\(version.position)")) == "old")
            #expect(name(try Self.askKept(client, "transactionId=560001")) == "old")
            bench.clock.now = version.recordedAt
            #expect(name(try client.entitlements("transactionId=560001")) == "new")
            #expect(name(try Self.askKept(client, "transactionId=560001")) == "new")
        }
    }

    @Test func `keys and environments are kept apart`() async throws {
        try await withDaemon { bench, client throws in
            let sandbox = Sample.transaction("560001", purchased: Self.purchased).with(["environment": "Sandbox"])
            let answer = try client.post(transactions: [try bench.store.document(sandbox)])
            let position = try #require(answer["results"]?.items.first?["position"]?.integer)
            for (query, count) in [
                ("transactionId=560001", 0), ("transactionId=560001&environment=Sandbox", 1),
                ("originalTransactionId=560001&environment=Sandbox", 1), ("appTransactionId=560001", 0),
                ("appTransactionId=560001&environment=Sandbox", 0),
            ] {
                _ = try client.entitlements("\(query)&minPosition=\(position)")
                let kept = try Self.askKept(client, query)
                #expect(kept["entitlements"]?.items.count == count, "\(query)")
            }
        }
    }

    @Test func `without room nothing is kept`() async throws {
        var setup = DaemonSetup()
        setup.hotReadsBytes = 0
        try await withDaemon(setup) { bench, client throws in
            try EntitlementsRouteTests.subscribe(bench, client)
            for _ in 0..<5 { #expect(try client.entitlements("transactionId=560001&minPosition=3").status == 200) }
            let metrics = try MetricsReading(try client.get("/metrics").text)
            for name in ["reads_total{result=\"hit\"}", "reads_total{result=\"miss\"}", "answers", "bytes"] {
                #expect(metrics["ledgerd_hot_\(name)"] == 0)
            }
        }
    }

    @Test func `when its sessions are gone, a kept answer is not given either`() async throws {
        try await withDaemon { bench, client throws in
            try EntitlementsRouteTests.subscribe(bench, client)
            _ = try client.entitlements("transactionId=560001&minPosition=3")
            _ = try Self.askKept(client, "transactionId=560001")
            try bench.database.lockOut()
            try wait { try client.entitlements("transactionId=560001").status == 503 }
            try bench.database.letIn()
            try wait { try client.entitlements("transactionId=560001").status == 200 }
            _ = try Self.askKept(client, "transactionId=560001")
        }
    }
}
