/// Where the server listens, and every limit it keeps.
///
/// A limit is what one client can cost at most.
package struct HTTPServerConfiguration: Sendable {
    /// The numeric IPv4 or IPv6 address to listen on.
    package var address: String

    /// The port to listen on; 0 takes a free one, which ``HTTPServer/port`` tells.
    package var port: UInt16

    /// The bytes of one request's body; more is refused with 413 without waiting for the rest.
    package var bodyBytesMax = 256 * 1024

    /// The bytes of all bodies of requests that are not answered yet; beyond it a body is refused with 503.
    package var bodiesBytesMax = 64 * 1024 * 1024

    /// The bytes of one request's header with its request line, at most 64,000; more is refused with 431.
    ///
    /// Beyond about one and a half times this number the HTTP library itself refuses (431, or 414 within the request
    /// line), with a body of its own.
    package var headerBytesMax = 8 * 1024

    /// The connections that are open at once; more wait in the listening socket's queue.
    package var connectionsMax = 1000

    /// The connections that wait to be accepted; the kernel may keep fewer (`net.core.somaxconn`).
    package var backlogMax: Int32 = 1024

    /// The time from the request line to the last byte of the body, however steadily the bytes come in.
    package var requestDeadline: Duration = .seconds(15)

    /// The time from the request to the call of ``Responder/respond(_:)``; then the server answers 503 by itself.
    package var responseDeadline: Duration = .seconds(30)

    /// The time for sending a response of known bytes to a client that reads slowly.
    package var sendDeadline: Duration = .seconds(60)

    /// The time in which the client of a stream must read at least one buffer of what waits for it.
    package var stallTimeout: Duration = .seconds(30)

    /// The time that a connection may stay open between requests, or before its first one.
    package var idleTimeout: Duration = .seconds(75)

    /// The time that requests in flight are given when the server stops.
    package var drainDeadline: Duration = .seconds(10)

    /// The answer to a request that the server itself refuses; called on the loop's thread.
    ///
    /// The body must be ``Response/Body/bytes(_:)`` and should stay below a few kilobytes.
    package var refusalResponse: @Sendable (Refusal) -> Response = { refusal in
        Response(status: refusal.status, headers: [("Content-Type", "text/plain")], text: refusal.code + "\n")
    }

    /// A configuration with the limits named above.
    package init(address: String = "127.0.0.1", port: UInt16 = 0) {
        self.address = address
        self.port = port
    }

    /// The bytes that are read and thrown away after a refusal, so that the client sees the answer and not a reset.
    static let discardedBytesMax = 1024 * 1024

    /// The memory that the library may use for one connection: the header, and a read and a write buffer.
    ///
    /// The library clears all of it after every request: 64 KiB took 23 % of the time of small answers, 16 KiB 7 %.
    var poolBytes: Int { max(2 * headerBytesMax, 16 * 1024) }

    /// How often overdue connections are looked for: an eighth of the shortest limit, within 5 ms and 1 s.
    var sweepInterval: Duration {
        let shortest = [requestDeadline, responseDeadline, sendDeadline, stallTimeout, idleTimeout, drainDeadline].min()
        return min(max((shortest ?? .seconds(8)) / 8, .milliseconds(5)), .seconds(1))
    }
}
