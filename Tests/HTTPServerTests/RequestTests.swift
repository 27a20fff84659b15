import TestSupport
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(10))) struct RequestTests {
    @Test func `a handler sees the request as it was sent`() throws {
        let requests = Mailbox<Request>()
        try withServer { _ in
        } handler: { request, responder in
            requests.put(request)
            responder.respond(Response(status: 204))
        } _: { server in
            let client = try TestClient(port: server.port)
            let answer = try client.exchange(
                "POST",
                "/v1/a%2Fb/c?k=1&k=%32",
                headers: ["X-Thing:  some text ", "authorization: bearer  abc.def"],
                body: "hello"
            )
            #expect(answer.status == 204)
            let request = try requests.take()
            #expect(request.method == "POST")
            #expect(request.path == "/v1/a%2Fb/c")
            #expect(request.pathSegments == ["v1", "a/b", "c"])
            #expect(request.queryItems.map(\.value) == ["1", "2"])
            #expect(request.header("x-thing") == "some text")
            #expect(request.bearerToken == "abc.def")
            #expect(request.headers.map(\.name) == ["Host", "X-Thing", "authorization", "Content-Length"])
            #expect(request.body == Array("hello".utf8))
        }
    }

    @Test func `requests sent in one go are answered in their order on one connection`() throws {
        try withServer(handler: echo) { server in
            let client = try TestClient(port: server.port)
            let requests = (0..<100).map { index in
                index % 2 == 0
                    ? "GET /\(index) HTTP/1.1\r\nHost: a\r\n\r\n"
                    : "POST /\(index) HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody"
            }
            client.send(requests.joined())
            for index in 0..<100 {
                let expected = index % 2 == 0 ? "GET /\(index) " : "POST /\(index) body"
                #expect(try client.response().text == expected)
            }
            #expect(server.metrics.snapshot.connections == 1)
            #expect(server.metrics.snapshot.requests == 100)
            #expect(server.metrics.snapshot.responses[2] == 100)
        }
    }

    @Test func `a request sent byte by byte is the same request`() throws {
        try withServer(handler: echo) { server in
            let client = try TestClient(port: server.port)
            for byte in "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc".utf8 { client.send([byte]) }
            #expect(try client.response().text == "POST /slow abc")
        }
    }

    @Test func `a body in chunks is put together, and its extensions and trailers are left out`() throws {
        try withServer(handler: echo) { server in
            let client = try TestClient(port: server.port)
            client.send("PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            client.send("3\r\nabc\r\n5;name=value\r\ndef")
            client.send("gh\r\n0\r\nX-Trailer: t\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.response().text == "PUT /c abcdefgh")
            #expect(try client.response().text == "GET /next ")
        }
    }

    @Test(arguments: [0, 1, 8_191, 8_192, 18_700, 262_144])
    func `a body of any size within the limit arrives whole`(count: Int) throws {
        let bodies = Mailbox<[UInt8]>()
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try withServer { _ in
        } handler: { request, responder in
            bodies.put(request.body)
            responder.respond(Response(status: 200, bytes: request.body))
        } _: { server in
            let client = try TestClient(port: server.port)
            client.send(Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n".utf8) + body)
            #expect(try client.response().body == body)
            #expect(try bodies.take() == body)
        }
    }

    @Test func `HEAD has the header of GET and no body`() throws {
        try withServer(handler: echo) { server in
            let client = try TestClient(port: server.port)
            let head = try client.exchange("HEAD", "/x")
            #expect(head.status == 200)
            #expect(head.headers["content-length"] == "8")
            #expect(try client.exchange("GET", "/x").text == "GET /x ")
        }
    }

    @Test func `a client that asks whether to go on is told to`() throws {
        try withServer(handler: echo) { server in
            let client = try TestClient(port: server.port)
            client.send("POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.response().status == 100)
            client.send("ok")
            #expect(try client.response().text == "POST /e ok")
        }
    }

    @Test func `HTTP 1_0 gets its answer and the end of the connection`() throws {
        try withServer(handler: echo) { server in
            let client = try TestClient(port: server.port)
            client.send("GET /old HTTP/1.0\r\n\r\n")
            let text = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 200") && text.hasSuffix("GET /old "))
        }
    }

    @Test func `a client that has closed its sending side still gets its answer`() throws {
        try withServer(handler: echo) { server in
            let client = try TestClient(port: server.port)
            client.request("GET", "/half")
            client.finishSending()
            #expect(try client.response().text == "GET /half ")
        }
    }
}
