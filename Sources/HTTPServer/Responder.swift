/// The one place to put the answer to one request; it may be kept and used on any thread.
package struct Responder: Sendable {
    let server: HTTPServer
    let connection: Connection
    let ticket: UInt64

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
