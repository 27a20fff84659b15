import Foundation
import TestSupport
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(10))) struct LifeCycleTests {
    @Test func `a server that stops answers what is in flight, and nobody else`() throws {
        let held = Mailbox<Responder>()
        try withServer {
            $0.drainDeadline = .seconds(20)
        } handler: { request, responder in
            if request.path == "/held" { held.put(responder) } else { echo(request, responder) }
        } _: { server in
            let busy = try TestClient(port: server.port)
            let idle = try TestClient(port: server.port)
            #expect(try idle.exchange("GET", "/").status == 200)
            busy.request("GET", "/held")
            let responder = try held.take()
            server.stop()
            #expect(try idle.readToEnd() == [])
            #expect(throws: TestClient.Failure.self) { _ = try TestClient(port: server.port) }
            responder.respond(Response(status: 200, text: "done"))
            let answer = try busy.response()
            #expect(answer.text == "done")
            #expect(answer.headers["connection"] == "close")
            #expect(try busy.readToEnd() == [])
        }
    }

    @Test func `what is still in flight at the end of the drain is broken off`() throws {
        let held = Mailbox<Responder>()
        let endings = Mailbox<ResponseStream.Ending>()
        try withServer {
            $0.drainDeadline = .milliseconds(20)
        } handler: { request, responder in
            if request.path == "/stream" {
                let stream = ResponseStream(onClose: { endings.put($0) })
                responder.respond(Response(status: 200, body: .stream(stream)))
            } else {
                held.put(responder)
            }
        } _: { server in
            let waiting = try TestClient(port: server.port)
            waiting.request("GET", "/")
            let responder = try held.take()
            let streaming = try TestClient(port: server.port)
            streaming.request("GET", "/stream")
            _ = try streaming.responseHeader()
            let sending = try TestClient(port: server.port)
            sending.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n1")
            server.stop()
            #expect(try waiting.readToEnd() == [])
            #expect(try sending.readToEnd() == [])
            #expect(throws: TestClient.Failure.self) { try streaming.chunk() }
            #expect(try endings.take() == .brokenOff)
            responder.respond(Response(status: 200))
        }
    }

    @Test func `an answer that comes after the end is dropped, and its stream is told`() throws {
        let held = Mailbox<Responder>()
        let endings = Mailbox<ResponseStream.Ending>()
        try withServer(handler: { held.put($1) }) { server in
            let client = try TestClient(port: server.port)
            client.request("GET", "/")
            let responder = try held.take()
            server.stop()
            _ = try client.readToEnd()
            responder.respond(Response(status: 200, body: .stream(ResponseStream(onClose: { endings.put($0) }))))
            #expect(try endings.take() == .brokenOff)
        }
    }

    @Test func `a server may be stopped before it runs, and twice, and work after its end is refused`() throws {
        let server = try HTTPServer(configuration: HTTPServerConfiguration(), handler: echo)
        server.stop()
        server.stop()
        server.run()
        #expect(!server.onLoop {})
        server.stop()
    }

    /// Puts work into the inbox at the end of a turn, when what is in there was taken already.
    private final class LateWork: LoopSource {
        var put: () -> Void = {}
        var registration: LoopRegistration? { nil }
        var deadline: MonotonicTime? { nil }
        func descriptorReady(_ interest: LoopInterest) {}
        func deadlineReached() {}
        func roundEnded() { put() }
    }

    @Test func `work that was taken in the last turn is done`() throws {
        let server = try HTTPServer(configuration: HTTPServerConfiguration(), handler: echo)
        let source = LateWork()
        server.add(source)
        let (taken, done) = (Mailbox<Bool>(), Mailbox<Bool>())
        source.put = { [unowned server] in taken.put(server.onLoop { done.put(true) }) }
        server.stop()
        server.run()
        #expect(try taken.take())
        #expect(taken.count == 0 && done.count == 1)
    }

    @Test func `a server that never runs gives its port back`() throws {
        var configuration = HTTPServerConfiguration()
        configuration.port = try HTTPServer(configuration: configuration, handler: echo).port
        #expect(try HTTPServer(configuration: configuration, handler: echo).port == configuration.port)
    }

    @Test func `IPv6 is listened on`() throws {
        let server = try HTTPServer(configuration: HTTPServerConfiguration(address: "::1"), handler: echo)
        #expect(server.port != 0)
    }

    @Test func `a port in use and an address that is none are told in a sentence`() throws {
        let first = try HTTPServer(configuration: HTTPServerConfiguration(), handler: echo)
        let port = first.port
        let taken = #expect(throws: HTTPServerError.self) {
            try HTTPServer(configuration: HTTPServerConfiguration(port: port), handler: echo)
        }
        #expect(
            taken?.description
                == "Cannot listen on 127.0.0.1 port \(port): Address already in use. Free the port or configure another one."
        )
        let wrong = #expect(throws: HTTPServerError.self) {
            try HTTPServer(configuration: HTTPServerConfiguration(address: "localhost"), handler: echo)
        }
        #expect(
            wrong?.description
                == "The listen address \"localhost\" is not a numeric IPv4 or IPv6 address; write for example 127.0.0.1."
        )
        _ = first
    }
}
