private import CHTTP

/// An answer to a request.
package struct Response: Sendable {
    /// What follows the header.
    package enum Body: Sendable {
        /// Bytes that are known now; they are copied when the response is handed over.
        case bytes([UInt8])
        /// Bytes that are written later, sent in chunks. A stream serves one response.
        case stream(ResponseStream)
    }

    /// The HTTP status, 200…599.
    package var status: Int

    /// The header fields in their order.
    ///
    /// `Content-Length`, `Transfer-Encoding` and `Date` are the server's.
    package var headers: [(name: String, value: String)]

    /// The body; left out for `HEAD`, 204 and 304.
    package var body: Body

    /// The name under which ``HTTPServerMetrics`` counts the response besides its status; nil for no name.
    ///
    /// One of few constants, such as the code of a problem: never what a caller has sent.
    package var countedAs: String?

    package init(status: Int, headers: [(name: String, value: String)] = [], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response whose bytes are known.
    package init(status: Int, headers: [(name: String, value: String)] = [], bytes: [UInt8] = []) {
        self.init(status: status, headers: headers, body: .bytes(bytes))
    }

    /// A response with a text, as UTF-8.
    package init(status: Int, headers: [(name: String, value: String)] = [], text: String) {
        self.init(status: status, headers: headers, body: .bytes(Array(text.utf8)))
    }

    /// The whole response as it goes over the wire, for a connection that ends with it; a stream counts as empty.
    func closingBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        if case .bytes(let known) = body { bytes = known }
        let reason = unsafe String(cString: CHTTP_reason(UInt32(clamping: status)))
        var head = "HTTP/1.1 \(status) \(reason)\r\n"
        for field in headers { head += "\(field.name): \(field.value)\r\n" }
        head += "Content-Length: \(bytes.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + bytes
    }
}
