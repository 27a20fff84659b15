import HTTPServer

/// `GET /metrics`: what the daemon counts, as OpenMetrics text.
///
/// Confined to the loop's thread.
final class MetricsRoute {
    private var metrics: DaemonMetrics?

    /// Gives the route what it tells; the server, which is one of the parts, is made after the routes.
    func tell(_ metrics: DaemonMetrics) { self.metrics = metrics }

    func handle(_ request: Request, _ responder: Responder) {
        guard let metrics else { return responder.respond(Problem.overloaded("The daemon is starting.").response) }
        responder.respond(
            Response(status: 200, headers: [("Content-Type", MetricsText.contentType)], bytes: metrics.text)
        )
    }
}
