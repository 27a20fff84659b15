import Foundation
import TestSupport
import Testing

@testable import HTTPServer

/// Servers on threads of their own that serve one address.
@Suite(.timeLimit(.minutes(10))) struct SharedAddressTests {
    /// A server that answers with its name; asked to hold, it does not go on before it is told.
    private static func server(
        _ name: String,
        _ other: HTTPServer? = nil,
        held: Mailbox<Event> = Mailbox()
    ) throws -> HTTPServer {
        var configuration = HTTPServerConfiguration()
        configuration.drainDeadline = .milliseconds(200)
        return try HTTPServer(configuration: configuration, sharingAddressOf: other) { request, responder in
            if request.path == "/hold" {
                let release = Event()
                held.put(release)
                #expect(release.wait())
            }
            responder.respond(Response(status: 200, text: name))
        }
    }

    private static func run(_ server: HTTPServer) -> Event {
        let ended = Event()
        Thread.detachNewThread {
            server.run()
            ended.signal()
        }
        return ended
    }

    @Test func `while one server is busy, the others accept and answer; what they count is one number`() throws {
        let held = Mailbox<Event>()
        let first = try Self.server("first", held: held)
        let second = try Self.server("second", first, held: held)
        #expect(first.port == second.port)
        let ends = [first, second].map(Self.run)

        let busy = try TestClient(port: first.port)
        busy.request("GET", "/hold")
        let release = try held.take()
        var names: Set<String> = []
        for _ in 1...20 { names.insert(try TestClient(port: first.port).exchange("GET", "/").text) }
        release.signal()
        let busyName = try busy.response().text
        #expect(names.count == 1 && !names.contains(busyName), "\(names), \(busyName)")

        for server in [first, second] { server.stop() }
        for end in ends { #expect(end.wait()) }
        #expect(first.metrics === second.metrics)
        #expect(first.metrics.snapshot.requests == 21)
        #expect(first.metrics.snapshot.connectionsOpen == 0)
        #expect(throws: TestClient.Failure.self) { _ = try TestClient(port: first.port) }
    }

    @Test(arguments: [true, false])
    func `a server that stops leaves the address to the others`(_ isFirst: Bool) throws {
        let first = try Self.server("first")
        let second = try Self.server("second", first)
        let (stopped, left) = isFirst ? (first, second) : (second, first)
        let ends = [stopped, left].map(Self.run)
        stopped.stop()
        #expect(ends[0].wait())
        for _ in 1...20 {
            #expect(try TestClient(port: left.port).exchange("GET", "/").text == (isFirst ? "second" : "first"))
        }
        left.stop()
        #expect(ends[1].wait())
    }
}
