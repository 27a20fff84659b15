import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(10))) struct AnswerTests {
    /// A thread that answers whatever it gets, some requests at a time.
    private final class Answerer: Sendable {
        private let waiting = Mutex<[(Request, Responder)]>([])
        private let event = Event()
        private let isOver = Atomic(false)

        init() {
            Thread.detachNewThread { [self] in
                while event.wait(), !isOver.load(ordering: .relaxed) {
                    let requests = waiting.withLock { waiting in
                        defer { waiting = [] }
                        return waiting
                    }
                    for (request, responder) in requests { echo(request, responder) }
                }
            }
        }

        func put(_ request: Request, _ responder: Responder) {
            waiting.withLock { $0.append((request, responder)) }
            event.signal()
        }

        func end() {
            isOver.store(true, ordering: .relaxed)
            event.signal()
        }
    }

    @Test func `64 clients get the answers of another thread, each its own and in order`() throws {
        let answerer = Answerer()
        defer { answerer.end() }
        try withServer(handler: { answerer.put($0, $1) }) { server in
            let failures = Mutex<[String]>([])
            concurrently(64) { index in
                do {
                    let client = try TestClient(port: server.port)
                    for number in 0..<100 {
                        let answer = try client.exchange("POST", "/\(index)/\(number)", body: "b\(number)")
                        let expected = "POST /\(index)/\(number) b\(number)"
                        if answer.text != expected { failures.withLock { $0.append(answer.text) } }
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(failures.withLock { $0 } == [])
            #expect(server.metrics.snapshot.responses[2] == 6400)
        }
    }

    @Test func `pipelined requests that wait for another thread are answered in their order`() throws {
        let answerer = Answerer()
        defer { answerer.end() }
        try withServer(handler: { answerer.put($0, $1) }) { server in
            let client = try TestClient(port: server.port)
            client.send((0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            for index in 0..<50 { #expect(try client.response().text == "GET /\(index) ") }
        }
    }

    @Test func `a client that leaves while its request waits costs nothing when the late answer comes`() throws {
        let held = Mailbox<Responder>()
        try withServer { _ in
        } handler: { request, responder in
            if request.path == "/held" { held.put(responder) } else { echo(request, responder) }
        } _: { server in
            for _ in 0..<20 {
                let client = try TestClient(port: server.port)
                client.request("POST", "/held", body: "x")
                let responder = try held.take()
                client.closeNow()
                responder.respond(Response(status: 200, bytes: [UInt8](repeating: 0, count: 100_000)))
            }
            #expect(try TestClient(port: server.port).exchange("GET", "/next").status == 200)
        }
    }

    @Test func `a client that leaves in the middle of its body is forgotten`() throws {
        try withServer(handler: echo) { server in
            for _ in 0..<20 {
                let client = try TestClient(port: server.port)
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nabc")
                client.closeNow()
            }
            #expect(try TestClient(port: server.port).exchange("GET", "/next").status == 200)
        }
    }

    @Test func `only the first answer counts`() throws {
        try withServer { _ in
        } handler: { _, responder in
            responder.respond(Response(status: 200, text: "first"))
            responder.respond(Response(status: 500, text: "second"))
        } _: { server in
            let client = try TestClient(port: server.port)
            #expect(try client.exchange("GET", "/").text == "first")
            #expect(try client.exchange("GET", "/").text == "first")
        }
    }

    @Test(arguments: [
        Response(status: 100), Response(status: 0), Response(status: 1000),
        Response(status: 200, headers: [("X", "a\r\nSet-Cookie: b")]),
        Response(status: 200, headers: [("", "a")]),
        Response(status: 200, headers: [("Content-Length", "3")]),
        Response(status: 99, body: .stream(ResponseStream())),
    ])
    func `a response that cannot be sent becomes 500`(response: Response) throws {
        try withServer(handler: { $1.respond(response) }) { server in
            let client = try TestClient(port: server.port)
            let answer = try client.exchange("GET", "/")
            #expect(answer.status == 500)
            #expect(answer.headers["set-cookie"] == nil)
            #expect(server.metrics.snapshot.refusals == [.invalidResponse: 1])
        }
    }

    @Test func `header fields are sent in their order, and 304 has no body`() throws {
        try withServer { _ in
        } handler: { request, responder in
            let status = request.path == "/304" ? 304 : 200
            responder.respond(Response(status: status, headers: [("ETag", "\"a\""), ("X-B", "1")], text: "body"))
        } _: { server in
            let client = try TestClient(port: server.port)
            let notModified = try client.exchange("GET", "/304")
            #expect(notModified.status == 304)
            #expect(notModified.headers["etag"] == "\"a\"")
            #expect(try client.exchange("GET", "/200").text == "body")
        }
    }
}
