import HTTPServer
import Synchronization

/// `GET /metrics`: what the daemon counts, as OpenMetrics text.
final class MetricsRoute: Sendable {
    private let metrics = Mutex<DaemonMetrics?>(nil)

    /// Gives the route what it tells; the servers, which are one of the parts, are made after the routes.
    func tell(_ metrics: DaemonMetrics) { self.metrics.withLock { $0 = metrics } }

    func handle(_ request: Request, _ responder: Responder) {
        guard let metrics = metrics.withLock({ $0 }) else {
            return responder.respond(Problem.overloaded("The daemon is starting.").response)
        }
        responder.respond(
            Response(status: 200, headers: [("Content-Type", MetricsText.contentType)], bytes: metrics.bytes)
        )
    }
}
