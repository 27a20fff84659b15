import Foundation
import TestSupport
import Testing

@testable import HTTPServer

/// Servers on threads of their own that serve one address.
@Suite(.timeLimit(.minutes(10))) struct SharedAddressTests {
    /// A server that answers with its name.
    private static func server(_ name: String, _ other: HTTPServer? = nil) throws -> HTTPServer {
        var configuration = HTTPServerConfiguration()
        configuration.drainDeadline = .milliseconds(200)
        return try HTTPServer(configuration: configuration, sharingAddressOf: other) { _, responder in
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

    @Test func `connections are spread; what the servers count is one number, and nobody else gets the address`()
        throws
    {
        let servers = try Self.servers(3)
        let port = servers[0].port
        #expect(servers.allSatisfy { $0.port == port })
        #expect(throws: HTTPServerError.self) {
            try HTTPServer(configuration: HTTPServerConfiguration(port: port)) { _, _ in }
        }
        let ends = servers.map(Self.run)

        // That one of three gets none of so many happens once in 10^17 runs.
        let count = 100
        let names = try (0..<count).map { _ in try TestClient(port: port).exchange("GET", "/").text }
        #expect(Set(names) == ["0", "1", "2"])

        for server in servers { server.stop() }
        for end in ends { #expect(end.wait()) }
        #expect(servers.allSatisfy { $0.metrics === servers[0].metrics })
        #expect(servers[0].metrics.snapshot.requests == count)
        #expect(servers[0].metrics.snapshot.connectionsOpen == 0)
        #expect(throws: TestClient.Failure.self) { _ = try TestClient(port: port) }
    }

    /// So many, named by their numbers.
    private static func servers(_ count: Int) throws -> [HTTPServer] {
        let first = try server("0")
        return [first] + (try (1..<count).map { try server("\($0)", first) })
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
