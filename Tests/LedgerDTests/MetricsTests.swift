import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// `GET /metrics`: what a daemon counts.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct MetricsTests {
    private static let purchased = Instant.testNow.adding(days: -1)

    private static func read(_ client: DaemonClient) throws -> MetricsReading {
        let answer = try client.get("/metrics")
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.headers["content-type"] == MetricsText.contentType)
        return try MetricsReading(answer.text)
    }

    /// How much samples grew between two readings; those that did not are left out.
    private static func growth(_ before: MetricsReading, _ after: MetricsReading) -> [String: Double] {
        after.samples.reduce(into: [:]) { growth, sample in
            let grown = sample.value - (before[sample.key] ?? 0)
            if grown != 0 { growth[sample.key] = grown }
        }
    }

    @Test func `a daemon that was just started tells every family, codes that never came included`() async throws {
        try await withDaemon { _, client throws in
            let reading = try Self.read(client)
            for (name, type) in Self.families {
                #expect(reading.families[name]?.type == type, "\(name)")
            }
            #expect(Set(reading.families.keys) == Set(Self.families.keys))
            #expect(reading["ledgerd_intake_refused_documents_total{code=\"untrustedRoot\"}"] == 0)
            #expect(reading["ledgerd_intake_events_total{outcome=\"conflict\"}"] == 0)
            #expect(reading["ledgerd_log_position"] == 0)
        }
    }

    @Test func `a notification, its duplicate and a conflict are counted as what they are`() async throws {
        try await withDaemon { bench, client throws in
            let id = Sample.newUUID()
            let first = try bench.store.notification(
                Sample.notification(Sample.transaction("560001", purchased: Self.purchased), id: id)
            )
            let other = try bench.store.notification(
                Sample.notification(Sample.transaction("560002", purchased: Self.purchased), id: id)
            )
            let start = try Self.read(client)
            #expect(try client.notify(first).position == 2)
            // The projection has seen it, so nothing moves by itself any more.
            #expect(try client.entitlements("transactionId=560001&minPosition=2").status == 200)
            // The follower tells so a moment after its commit, which the read may have come before.
            var looks = 1
            var recorded = try Self.read(client)
            while recorded["ledgerd_projection_position"] != recorded["ledgerd_log_position"] {
                recorded = try Self.read(client)
                looks += 1
            }
            let growth = Self.growth(start, recorded)
            #expect(growth["ledgerd_intake_events_total{outcome=\"recorded\"}"] == 2)
            #expect(growth["ledgerd_intake_events_total{outcome=\"duplicate\"}"] == nil)
            #expect(growth["ledgerd_writer_batches_total"] == 1)
            #expect(growth["ledgerd_writer_units_total"] == 1)
            #expect(growth["ledgerd_writer_bytes_total", default: 0] > 1000)
            #expect(growth["ledgerd_log_position"] == 2)
            #expect(growth["ledgerd_projection_position"] == 2)
            #expect(growth["ledgerd_chain_cache_lookups_total{result=\"miss\"}"] == 1)
            #expect(growth["ledgerd_chain_cache_entries"] == 1)
            #expect(growth[Self.answers("POST", "/v1/notifications")] == 1)
            #expect(growth[Self.answers("GET", "/v1/entitlements")] == 1)
            // The first look, the notification, the read, and the looks before the last one.
            #expect(growth["ledgerd_http_responses_total{class=\"2xx\"}"] == Double(3 + looks - 1))
            #expect(recorded["ledgerd_projection_lag_events"] == 0)
            #expect(recorded["ledgerd_projection_lag_seconds"] == 0)

            _ = try client.notify(first)
            let repeated = try Self.read(client)
            #expect(Self.growth(recorded, repeated)["ledgerd_intake_events_total{outcome=\"duplicate\"}"] == 2)
            #expect(Self.growth(recorded, repeated)["ledgerd_intake_events_total{outcome=\"recorded\"}"] == nil)

            _ = try client.notify(other)
            _ = try client.notify(other)
            let conflicts = Self.growth(repeated, try Self.read(client))
            #expect(conflicts["ledgerd_intake_events_total{outcome=\"conflict\"}"] == 1)
            #expect(conflicts["ledgerd_intake_events_total{outcome=\"knownConflict\"}"] == 1)
        }
    }

    @Test func `refusals and problems are counted by their codes`() async throws {
        try await withDaemon { _, client throws in
            let start = try Self.read(client)
            expectProblem(try client.notify(Array("a.b.c".utf8)), 400, "malformed")
            expectProblem(try client.get("/v1/nothing"), 404, "notFound")
            expectProblem(try client.get("/v1/notifications"), 405, "methodNotAllowed")
            expectProblem(try client.entitlements("transactionId=1&environment=Xcode"), 400, "environmentNotServed")
            let growth = Self.growth(start, try Self.read(client))
            #expect(growth["ledgerd_intake_refused_documents_total{code=\"malformed\"}"] == 1)
            for code in ["malformed", "notFound", "methodNotAllowed", "environmentNotServed"] {
                #expect(growth["ledgerd_http_problems_total{code=\"\(code)\"}"] == 1, "\(code)")
            }
            #expect(growth["ledgerd_http_responses_total{class=\"4xx\"}"] == 4)
            #expect(growth["ledgerd_writer_batches_total"] == nil)
        }
    }

    @Test func `a body that the server refuses by itself is counted as refused and as a problem`() async throws {
        try await withBench { bench throws in
            let daemon = try bench.start()
            let body = String(repeating: "a", count: 256 * 1024 + 1)
            expectProblem(try daemon.client().send("POST", "/v1/notifications", body: body), 413, "tooLarge")
            let reading = try Self.read(daemon.client())
            #expect(reading["ledgerd_http_refused_requests_total{reason=\"bodyTooLarge\"}"] == 1)
            #expect(reading["ledgerd_http_problems_total{code=\"tooLarge\"}"] == 1)
        }
    }

    @Test func `a stream of the log is counted while it is open`() async throws {
        try await withBench { bench throws in
            let daemon = try bench.start()
            let client = try daemon.client()
            #expect(try client.get("/v1/events").status == 200)
            let reader = try StreamReader(port: daemon.port)
            defer { reader.close() }
            #expect(try reader.begin().status == 200)
            let open = try Self.read(client)
            #expect(open["ledgerd_feed_readers{kind=\"stream\"}"] == 1)
            #expect(open["ledgerd_http_open_streams"] == 1)
            #expect(open["ledgerd_http_open_connections"] == 2)
        }
    }

    /// The sample that counts the answers of a route.
    private static func answers(_ method: String, _ route: String) -> String {
        "ledgerd_http_request_duration_seconds_count{method=\"\(method)\",route=\"\(route)\"}"
    }

    @Test func `a refund is counted once, with the lag and the leakage that its entry tells`() async throws {
        try await withDaemon { bench, client throws in
            let start = try Self.read(client)
            let bought = Sample.transaction("560009", purchased: Self.purchased)
            var position: Int64 = 0
            // The second time it is put in other words: signed again.
            for day: Int64 in [0, 1] {
                let refund = bought.refunded(at: Self.purchased).with([
                    "signedDate": .instant(Self.purchased.adding(days: day))
                ])
                let answer = try client.notify(
                    try bench.store.notification(Sample.notification(refund, type: "REFUND"))
                )
                position = try #require(answer.position, "\(answer.text)")
            }
            let target = "/v1/registers/refunds?transactionId=560009&minPosition=\(position)&waitMs=20000"
            let entry = try #require(try client.get(target)["items"]?[0])
            // The follower tells so a moment after its commit, which the read may have come before.
            var reading = try Self.read(client)
            while reading["ledgerd_projection_position"] != Double(position) { reading = try Self.read(client) }
            let growth = Self.growth(start, reading)
            let notified = "source=\"notification\""
            for (name, member) in [("detection_lag", "detectionLagSeconds"), ("leakage", "leakageSeconds")] {
                let seconds = try #require(entry[member]?.integer)
                #expect(growth["ledgerd_revocation_\(name)_seconds_count{\(notified)}"] == 1)
                #expect(growth["ledgerd_revocation_\(name)_seconds_sum{\(notified)}"] == Double(seconds))
                for bound in RevocationMetrics.bounds.map(\.components.seconds) {
                    let bucket = "ledgerd_revocation_\(name)_seconds_bucket{\(notified),le=\"\(bound).000000\"}"
                    #expect(reading[bucket] == (seconds <= bound ? 1 : 0), "\(bucket)")
                }
            }
        }
    }

    @Test func `leakage ends with a purchase as the catalog in force says, not the daemon's own file`() async throws {
        var setup = DaemonSetup()
        setup.catalog = Self.season(lasting: "P9M")
        try await withBench(setup) { bench throws in
            // What others recorded before: the first one is in force for what happened before it.
            for duration in ["P1D", "P2D"] {
                try bench.record(catalog: Self.season(lasting: duration))
            }
            let client = try bench.start().client()
            let start = try Self.read(client)
            let bought = Sample.transaction("560010", product: "com.example.season", purchased: Self.purchased)
            let refund = bought.with(["type": "Non-Renewing Subscription"])
                .refunded(at: Self.purchased.adding(milliseconds: 3_600_000))
            let answer = try client.notify(try bench.store.notification(Sample.notification(refund, type: "REFUND")))
            let position = try #require(answer.position, "\(answer.text)")
            var reading = try Self.read(client)
            while reading["ledgerd_projection_position"] != Double(position) { reading = try Self.read(client) }
            let growth = Self.growth(start, reading)
            // A day, of which an hour had gone.
            #expect(growth["ledgerd_revocation_leakage_seconds_sum{source=\"notification\"}"] == 82_800)
        }
    }

    private static func season(lasting duration: String) -> JSONValue {
        ["products": ["com.example.season": ["entitlement": "season", "duration": .string(duration)]]]
    }

    private static let families = [
        "ledgerd_intake_events": "counter", "ledgerd_intake_refused_documents": "counter",
        "ledgerd_chain_cache_lookups": "counter", "ledgerd_chain_cache_entries": "gauge",
        "ledgerd_pool_waiting_jobs": "gauge", "ledgerd_writer_waiting_units": "gauge",
        "ledgerd_writer_batches": "counter", "ledgerd_writer_units": "counter",
        "ledgerd_writer_failed_units": "counter", "ledgerd_writer_bytes": "counter",
        "ledgerd_log_position": "gauge", "ledgerd_projection_position": "gauge",
        "ledgerd_projection_lag_events": "gauge", "ledgerd_projection_lag_seconds": "gauge",
        "ledgerd_reads_waiting": "gauge", "ledgerd_status_disagreements": "counter", "ledgerd_feed_readers": "gauge",
        "ledgerd_hot_reads": "counter", "ledgerd_hot_answers": "gauge", "ledgerd_hot_bytes": "gauge",
        "ledgerd_hot_dropped_answers": "counter",
        "ledgerd_revocation_detection_lag_seconds": "histogram", "ledgerd_revocation_leakage_seconds": "histogram",
        "ledgerd_http_open_connections": "gauge", "ledgerd_http_open_streams": "gauge",
        "ledgerd_http_connections": "counter", "ledgerd_http_timeouts": "counter",
        "ledgerd_http_requests": "counter", "ledgerd_http_broken_off_requests": "counter",
        "ledgerd_http_responses": "counter", "ledgerd_http_problems": "counter",
        "ledgerd_http_refused_requests": "counter", "ledgerd_http_request_duration_seconds": "histogram",
    ]
}
