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

    /// Two servers that answer with streams, and hand them over with the number of the server.
    private static func streamingServers(_ begun: Mailbox<(server: Int, stream: ResponseStream)>) throws -> [HTTPServer]
    {
        var configuration = HTTPServerConfiguration()
        // Longer than the test waits for an end, both.
        configuration.drainDeadline = .seconds(600)
        configuration.idleTimeout = .seconds(600)
        var servers: [HTTPServer] = []
        for number in 0..<2 {
            servers.append(
                try HTTPServer(configuration: configuration, sharingAddressOf: servers.first) { _, responder in
                    let stream = ResponseStream()
                    responder.respond(Response(status: 200, body: .stream(stream)))
                    begun.put((number, stream))
                }
            )
        }
        return servers
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

    @Test(arguments: [0, 1])
    func `a stream goes on in a server that drains when the other has ended`(_ last: Int) throws {
        let begun = Mailbox<(server: Int, stream: ResponseStream)>()
        let servers = try Self.streamingServers(begun)
        let ends = servers.map(Self.run)
        var found: (client: TestClient, stream: ResponseStream)?
        // That none of so many comes to one of two happens once in 10^30 runs.
        for _ in 1...100 where found == nil {
            let client = try TestClient(port: servers[0].port)
            client.request("GET", "/")
            let (server, stream) = try begun.take()
            if server == last { found = (client, stream) } else { stream.finish() }
        }
        let (client, stream) = try #require(found)
        #expect(try client.responseHeader().status == 200)
        for server in servers { server.stop() }
        #expect(ends[1 - last].wait())
        #expect(stream.write(Array("late".utf8)) == .accepted)
        #expect(try client.chunk() == Array("late".utf8))
        stream.finish()
        #expect(try client.chunk() == nil)
        #expect(ends[last].wait())
    }
}
