import TestSupport
import Testing

@testable import HTTPServer

/// What two servers in a row could read in two ways: the second one would take part of a body for a request.
@Suite(.timeLimit(.minutes(10))) struct SmugglingTests {
    @Test(arguments: [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 50\r\n\r\n0\r\n\r\n",
        "Content-Length: 0\r\nContent-Length: 40\r\n\r\n",
        "Content-Length: 40\r\nContent-Length: 0\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: identity\r\n\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding:\u{0B}chunked\r\n\r\n0\r\n\r\n",
        "Content-Length : 5\r\n\r\n",
        "Content-Len\r\n gth: 40\r\n\r\n",
        "Content-Len: 0\r\n gth\r\n\r\n",
        "X-Folded: a\r\n b\r\n\r\n",
        "X-CR: a\rTransfer-Encoding: chunked\r\n\r\n",
        "Host: b\r\n\r\n",
        " X: y\r\n\r\n",
        "no colon\r\n\r\n",
    ])
    func `an ambiguous request is refused, and nothing after it is taken for a request`(header: String) throws {
        let paths = Mailbox<String>()
        try withServer { _ in
        } handler: { request, responder in
            paths.put(request.path)
            echo(request, responder)
        } _: { server in
            let client = try TestClient(port: server.port)
            client.send("POST /first HTTP/1.1\r\nHost: a\r\n\(header)GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
            #expect(answer.components(of: "HTTP/1.1 ") == 1, "one answer, then the end: \(answer)")
            #expect(paths.count == 0)
        }
    }

    /// These the library refuses itself, and its release 0.9.75 writes the header of that refusal twice.
    @Test(arguments: ["5, 5", "-5", "+0", "0x5", "", "99999999999999999999999"])
    func `a length that is no number is refused, and nothing after it is taken for a request`(length: String) throws {
        let paths = Mailbox<String>()
        try withServer { _ in
        } handler: { request, responder in
            paths.put(request.path)
            echo(request, responder)
        } _: { server in
            let client = try TestClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
            client.send("GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
            #expect(answer.contains("Connection: close"))
            #expect(answer.components(of: "HTTP/1.1 2") == 0, "\(answer)")
            #expect(paths.count == 0)
            #expect(server.metrics.snapshot.refusalsByLibrary == 1)
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET relative HTTP/1.1\r\nHost: a\r\n\r\n",
        "G(T / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
        "GET / HTTP/0.9\r\n\r\n",
        "GET /\r\n\r\n",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ])
    func `what is not a request of HTTP 1 gets an error and the end of the connection`(raw: String) throws {
        let paths = Mailbox<String>()
        try withServer { _ in
        } handler: { request, responder in
            paths.put(request.path)
            echo(request, responder)
        } _: { server in
            let client = try TestClient(port: server.port)
            client.send(raw)
            let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 505"), "\(answer)")
            #expect(paths.count == 0)
            let counted = server.metrics.snapshot
            #expect(counted.refusals[.malformed, default: 0] + counted.refusalsByLibrary == 1)
        }
    }

    @Test(arguments: ["zz\r\n", "-1\r\n", "10000000000000000\r\n", "3\r\nabcd\r\n", "\r\n"])
    func `a broken chunk breaks the connection and never reaches the handler`(chunk: String) throws {
        let paths = Mailbox<String>()
        try withServer { _ in
        } handler: { request, responder in
            paths.put(request.path)
            echo(request, responder)
        } _: { server in
            let client = try TestClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)")
            client.send("0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
            #expect(paths.count == 0)
        }
    }
}

extension String {
    /// How often a text occurs.
    func components(of text: String) -> Int { ranges(of: text).count }
}
