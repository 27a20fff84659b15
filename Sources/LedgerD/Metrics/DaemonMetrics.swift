import EventStore
import HTTPServer
import JWS
import LedgerCore
import Projections

/// The parts of the daemon that count; their numbers are gathered when somebody asks, so that between questions nothing
/// but the counting itself costs.
struct DaemonMetrics: Sendable {
    let http: HTTPServerMetrics
    /// The latencies of all routes, labelled.
    private let latencies: [(labels: [MetricsText.Label], latency: LatencyHistogram)]
    let intake: Intake
    let lag: ProjectionLag
    let loops: [LoopTally]
    let feed: FeedRoutes
    let findings: StatusFindings
    let revocations: RevocationMetrics
    /// The pools besides the one of the intake, by their names.
    let pools: [(String, WorkPool)]

    init(
        http: HTTPServerMetrics,
        routes: [Router.Route],
        intake: Intake,
        lag: ProjectionLag,
        loops: [LoopTally],
        feed: FeedRoutes,
        findings: StatusFindings,
        revocations: RevocationMetrics,
        pools: [(String, WorkPool)]
    ) {
        self.http = http
        // Not the routes themselves: one of them tells these metrics, and would keep itself.
        latencies = routes.map { ([("method", $0.method), ("route", $0.path)], $0.latency) }
        self.intake = intake
        self.lag = lag
        self.loops = loops
        self.feed = feed
        self.findings = findings
        self.revocations = revocations
        self.pools = pools
    }

    /// All numbers now, as OpenMetrics text.
    var bytes: [UInt8] {
        let counts = LoopCounts.sum(loops)
        var text = MetricsText()
        writeIntake(to: &text)
        writeLog(to: &text)
        revocations.write(to: &text)
        writeReaders(counts, to: &text)
        writeHotReads(counts, to: &text)
        writeHTTP(to: &text)
        return text.bytes
    }

    private func writeIntake(to text: inout MetricsText) {
        text.counters(
            "ledgerd_intake_events",
            "Events of accepted documents by what became of them; a conflict reuses an identity with other content.",
            by: "outcome",
            intake.metrics.outcomes
        )
        text.counters(
            "ledgerd_intake_refused_documents",
            "Documents that were refused, by problem code.",
            by: "code",
            intake.metrics.refusals
        )
        let chains = intake.verifier.chainCacheCounters
        text.counters(
            "ledgerd_chain_cache_lookups",
            "Certificate chains looked up: known, checked anew, or put off because too many were unknown.",
            by: "result",
            [("hit", chains.hits), ("miss", chains.misses), ("denied", chains.denials)]
        )
        text.gauge("ledgerd_chain_cache_entries", "Certificate chains that are kept.", chains.entries)
        text.gauges(
            "ledgerd_pool_waiting_jobs",
            "Requests that wait for a thread, by pool.",
            by: "pool",
            ([("verify", intake.pool)] + pools).map { ($0.0, $0.1.waiting) }
        )
    }

    private func writeLog(to text: inout MetricsText) {
        let writer = intake.writer.counts
        text.gauge("ledgerd_writer_waiting_units", "Units that wait to be appended.", intake.writer.waiting)
        text.counter("ledgerd_writer_batches", "Batches sent to the log.", writer.batches)
        text.counter("ledgerd_writer_units", "Units that became durable, known ones included.", writer.units)
        text.counter("ledgerd_writer_failed_units", "Units that could not be stored.", writer.unitsFailed)
        text.counter(
            "ledgerd_writer_bytes",
            unit: "bytes",
            "Bytes of all batches, as their limit counts them.",
            writer.bytes
        )
        let (log, projected) = lag.positions
        text.gauge("ledgerd_log_position", "The last position known to be durable.", log.rawValue)
        text.gauge("ledgerd_projection_position", "How far the projection has come.", projected.rawValue)
        text.gauge(
            "ledgerd_projection_lag_events",
            "Durable events that the projection does not show yet.",
            max(0, log.rawValue - projected.rawValue)
        )
        text.gauge(
            "ledgerd_projection_lag_seconds",
            "For how long this daemon has known of the oldest event that the projection does not show yet.",
            lag.duration(at: .now)
        )
    }

    private func writeReaders(_ counts: LoopCounts, to text: inout MetricsText) {
        text.gauges(
            "ledgerd_reads_waiting",
            "Questions about customers that wait: for a database connection, or for the projection.",
            by: "for",
            [("connection", counts.waitingForConnection), ("projection", counts.waitingForProjection)]
        )
        text.counter(
            "ledgerd_status_disagreements",
            "Subscriptions in answers whose last status by the App Store is not ours at its signing.",
            findings.count
        )
        text.gauges(
            "ledgerd_feed_readers",
            "Readers of the log that are being served.",
            by: "kind",
            [("page", feed.pages.count), ("stream", feed.streams.count)]
        )
    }

    private func writeHotReads(_ counts: LoopCounts, to text: inout MetricsText) {
        text.counters(
            "ledgerd_hot_reads",
            "Questions about now by whether an answer that is still true was kept.",
            by: "result",
            [("hit", counts.hits), ("miss", counts.misses)]
        )
        text.gauge("ledgerd_hot_answers", "Answers that are kept.", counts.kept.count)
        text.gauge(
            "ledgerd_hot_bytes",
            unit: "bytes",
            "Bytes of these answers, as their limit counts them.",
            counts.kept.bytes
        )
        text.counters(
            "ledgerd_hot_dropped_answers",
            "Answers dropped: an event touched them, others needed the room, their time was over, or everything went.",
            by: "reason",
            [
                ("touched", counts.drops.touched), ("evicted", counts.drops.evicted), ("expired", counts.drops.expired),
                ("cleared", counts.drops.cleared),
            ]
        )
    }

    private func writeHTTP(to text: inout MetricsText) {
        let numbers = http.snapshot
        text.gauge("ledgerd_http_open_connections", "Connections that are open.", numbers.connectionsOpen)
        text.gauge("ledgerd_http_open_streams", "Streams that are being sent.", numbers.streamsOpen)
        text.counter("ledgerd_http_connections", "Connections that were accepted.", numbers.connections)
        text.counter("ledgerd_http_timeouts", "Connections closed because they used up their time.", numbers.timeouts)
        text.counter("ledgerd_http_requests", "Requests whose request line came.", numbers.requests)
        text.counter(
            "ledgerd_http_broken_off_requests",
            "Requests that ended without a complete response.",
            numbers.requestsBrokenOff
        )
        text.counters(
            "ledgerd_http_responses",
            "Responses by class of status.",
            by: "class",
            numbers.responses.sorted { $0.key < $1.key }.map { ("\($0.key)xx", $0.value) }
        )
        text.counters(
            "ledgerd_http_problems",
            "Problem documents sent, by code.",
            by: "code",
            numbers.namedResponses.sorted { $0.key < $1.key }
        )
        text.counters(
            "ledgerd_http_refused_requests",
            "Requests that the HTTP server answered by itself, or its library before it saw them whole.",
            by: "reason",
            Refusal.allCases.map { ("\($0)", numbers.refusals[$0] ?? 0) } + [("library", numbers.refusalsByLibrary)]
        )
        text.histograms(
            "ledgerd_http_request_duration_seconds",
            "From a request's last byte until its answer is handed over; of a stream, until its beginning.",
            latencies.map { ($0.labels, $0.latency.snapshot) }
        )
    }
}
