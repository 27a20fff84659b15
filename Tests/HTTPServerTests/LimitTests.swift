import TestSupport
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(10))) struct LimitTests {
    private func codeOfRefusal(_ refusal: Refusal) -> Response {
        Response(
            status: refusal.status,
            headers: [("Content-Type", "application/problem+json")],
            text: #"{"code":"\#(refusal.code)"}"#
        )
    }

    @Test func `a body announced as too long is refused before it comes, in the configured form`() throws {
        try withServer(
            {
                $0.bodyBytesMax = 1000
                $0.refusalResponse = codeOfRefusal
            },
            handler: echo
        ) { server in
            let client = try TestClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n")
            let answer = try client.response()
            #expect(answer.status == 413)
            #expect(answer.text == #"{"code":"tooLarge"}"#)
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(try client.readToEnd() == [])
            #expect(server.metrics.snapshot.refusals == [.bodyTooLarge: 1])
        }
    }

    @Test func `a client that asks first is refused instead of told to go on`() throws {
        try withServer({ $0.bodyBytesMax = 1000 }, handler: echo) { server in
            let client = try TestClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.response().status == 413)
            #expect(try client.readToEnd() == [])
        }
    }

    @Test(arguments: [false, true])
    func `a client that sends its whole long body before it reads sees the refusal and no reset`(isChunked: Bool) throws
    {
        try withServer({ $0.bodyBytesMax = 10_000 }, handler: echo) { server in
            let client = try TestClient(port: server.port)
            let body = String(repeating: "x", count: 600_000)
            if isChunked {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                #expect(client.send("927c0\r\n" + body + "\r\n0\r\n\r\n"))
            } else {
                #expect(client.request("POST", "/", body: body))
            }
            #expect(try client.response().status == 413)
            #expect(try client.readToEnd() == [])
        }
    }

    @Test func `what a refused client goes on to send is thrown away only up to a limit`() throws {
        try withServer({ $0.bodyBytesMax = 1000 }, handler: echo) { server in
            let client = try TestClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n")
            let piece = [UInt8](repeating: 0, count: 100_000)
            var sent = 0
            while sent < 1_000_000_000, client.send(piece) { sent += piece.count }
            // What lies in the two sockets' buffers comes on top of the limit.
            #expect(sent < 100_000_000)
        }
    }

    @Test func `the bodies of all requests together have a limit, and what is answered no longer counts`() throws {
        let held = Mailbox<Responder>()
        try withServer {
            $0.bodiesBytesMax = 1500
        } handler: { request, responder in
            if request.path == "/held" { held.put(responder) } else { echo(request, responder) }
        } _: { server in
            let body = String(repeating: "x", count: 1000)
            let first = try TestClient(port: server.port)
            first.request("POST", "/held", body: body)
            let responder = try held.take()
            #expect(try TestClient(port: server.port).exchange("POST", "/", body: body).status == 503)
            responder.respond(Response(status: 200))
            #expect(try first.response().status == 200)
            #expect(try first.exchange("POST", "/", body: body).status == 200)
            #expect(server.metrics.snapshot.refusals == [.overloaded: 1])
        }
    }

    @Test(arguments: [(8_000, 200), (8_300, 431), (11_000, 431), (1_000_000, 431)])
    func `a long header is refused`(count: Int, status: Int) throws {
        try withServer(handler: echo) { server in
            let client = try TestClient(port: server.port)
            client.request("GET", "/", headers: ["X-Long: " + String(repeating: "y", count: count)])
            // The client of the longest header may be cut off while it still sends.
            guard let answer = try? client.response() else { return #expect(count == 1_000_000) }
            #expect(answer.status == status)
            #expect(server.metrics.snapshot.refusals[.headerTooLarge, default: 0] <= 1)
        }
    }

    @Test(arguments: [(7_000, 200), (9_000, 431), (30_000, 414)])
    func `a long target is refused`(count: Int, status: Int) throws {
        try withServer(handler: echo) { server in
            let client = try TestClient(port: server.port)
            client.request("GET", "/" + String(repeating: "y", count: count))
            #expect(try client.response().status == status)
        }
    }

    @Test func `a connection beyond the limit waits until another one ends`() throws {
        try withServer({ $0.connectionsMax = 2 }, handler: echo) { server in
            let clients = try (0..<3).map { _ in try TestClient(port: server.port) }
            #expect(try clients[0].exchange("GET", "/0").status == 200)
            #expect(try clients[1].exchange("GET", "/1").status == 200)
            clients[2].request("GET", "/2")
            #expect(try clients[0].exchange("GET", "/0").status == 200)
            #expect(server.metrics.snapshot.connections == 2)
            clients[0].closeNow()
            #expect(try clients[2].response().text == "GET /2 ")
        }
    }

    @Test(arguments: [
        "POST / HTTP/1.1\r\nX: ",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nf0000\r\n",
    ])
    func `a client that sends byte after byte is cut off at its deadline`(beginning: String) throws {
        try withServer(
            {
                $0.requestDeadline = .milliseconds(100)
                $0.bodyBytesMax = 2_000_000
                $0.headerBytesMax = 60_000
            },
            handler: echo
        ) { server in
            let client = try TestClient(port: server.port)
            client.send(beginning)
            // Each byte would restart a timer of inactivity; only the server's own deadline ends this.
            let read = Event()
            while client.send("x"), server.onLoop({ read.signal() }), read.wait() {}
            let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408"))
            #expect(server.metrics.snapshot.refusals == [.requestTimedOut: 1])
        }
    }

    @Test func `a request that stays incomplete is answered with 408`() throws {
        try withServer({ $0.requestDeadline = .milliseconds(50) }, handler: echo) { server in
            let client = try TestClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345")
            #expect(try client.response().status == 408)
            #expect(try client.readToEnd() == [])
            #expect(server.metrics.snapshot.refusals == [.requestTimedOut: 1])
        }
    }

    @Test(arguments: ["", "GET / HTT"])
    func `a connection without a request is closed after its time`(beginning: String) throws {
        try withServer({ $0.idleTimeout = .milliseconds(250) }, handler: echo) { server in
            let client = try TestClient(port: server.port)
            #expect(try client.exchange("GET", "/").status == 200)
            client.send(beginning)
            #expect(try client.readToEnd() == [])
            #expect(server.metrics.snapshot.timeouts == 1)
        }
    }

    @Test func `a client that does not read its response is cut off`() throws {
        try withServer {
            $0.sendDeadline = .milliseconds(100)
        } handler: { _, responder in
            responder.respond(Response(status: 200, bytes: [UInt8](repeating: 1, count: 50_000_000)))
        } _: { server in
            let client = try TestClient(port: server.port, receiveBufferBytes: 4096)
            client.request("GET", "/")
            let header = try client.responseHeader()
            #expect(header.status == 200)
            while server.metrics.snapshot.timeouts == 0 { client.yield() }
            #expect(try client.readToEnd().count < 50_000_000)
        }
    }

    @Test func `a handler that does not answer in time is answered for, and its late answer is dropped`() throws {
        let held = Mailbox<Responder>()
        try withServer {
            $0.responseDeadline = .milliseconds(50)
        } handler: { request, responder in
            if request.path == "/held" { held.put(responder) } else { echo(request, responder) }
        } _: { server in
            let client = try TestClient(port: server.port)
            #expect(try client.exchange("GET", "/held").status == 503)
            try held.take().respond(Response(status: 200, text: "late"))
            #expect(try client.exchange("GET", "/next").text == "GET /next ")
            #expect(server.metrics.snapshot.refusals == [.responseTimedOut: 1])
        }
    }
}
