/// The one place to put the answer to one request; it may be kept and used on any thread.
package struct Responder: Sendable {
    let server: HTTPServer
    let connection: Connection
    let ticket: UInt64

    /// Counts in this histogram how long the answer takes: from the request's last byte until the answer is handed to
    /// the HTTP library, by the clock that the loop reads once a round.
    ///
    /// Only inside the handler. The time of a stream ends at its beginning; a request that is never answered counts
    /// nothing.
    package func measure(in histogram: LatencyHistogram) { connection.latency = histogram }

    /// Answers the request.
    ///
    /// Only the first answer counts; later ones, and answers to a client that is gone, are dropped (a stream in them is
    /// closed).
    ///
    /// Called inside the handler, it answers without suspending the connection. Called on another thread, it goes
    /// through one queue that wakes the loop once for many answers. A request that is never answered gets 503 after
    /// ``HTTPServerConfiguration/responseDeadline``.
    package func respond(_ response: Response) {
        server.accept(response, for: connection, ticket: ticket)
    }
}
