import HTTPServer
import LedgerCore
import Threads

/// The loops of the daemon, one a core: threads that serve one address together, each with a room of its own.
///
/// On its way from a request to its answer a read is handed to no other thread, and shares with other loops only what
/// seldom changes (decision 17).
final class Loops: Sendable {
    let servers: [HTTPServer]
    let rooms: [LoopRoom]

    /// Loops of one daemon: more than a few would wait for the database, and each has three sessions there.
    static let countMax = 4

    /// How many there are on this machine.
    static var count: Int { min(Processors.count, countMax) }

    /// A limit of all loops in equal parts, which add up to it; where it cannot be divided, the first have one more.
    static func parts(of limit: Int, _ count: Int) -> [Int] {
        (0..<count).map { limit / count + ($0 < limit % count ? 1 : 0) }
    }

    /// Binds the address; it is served from ``run()`` on.
    ///
    /// The limits of `configuration` are those of all loops together; each has an equal part of them.
    init(
        _ configuration: HTTPServerConfiguration,
        _ router: Router,
        rooms: [LoopRoom]
    ) throws(HTTPServerError) {
        let connectionsMax = Self.parts(of: configuration.connectionsMax, rooms.count)
        let bodiesBytesMax = Self.parts(of: configuration.bodiesBytesMax, rooms.count)
        var servers: [HTTPServer] = []
        for (index, room) in rooms.enumerated() {
            var configuration = configuration
            configuration.connectionsMax = connectionsMax[index]
            configuration.bodiesBytesMax = bodiesBytesMax[index]
            servers.append(
                try HTTPServer(configuration: configuration, sharingAddressOf: servers.first) {
                    router.handle($0, $1, room)
                }
            )
        }
        for (server, room) in zip(servers, rooms) { room.enter(server) }
        self.servers = servers
        self.rooms = rooms
    }

    /// Loops that never ran let go of each other too.
    deinit { leave() }

    /// The port that they listen on.
    var port: UInt16 { servers[0].port }

    /// What their servers count, together.
    var metrics: HTTPServerMetrics { servers[0].metrics }

    /// What each of them counts.
    var tallies: [LoopTally] { rooms.map(\.tally) }

    /// Serves until ``stop()``; the calling thread is that of the first loop.
    func run() {
        for room in rooms { room.start() }
        let others = servers.dropFirst().map { server in WorkerThread(name: "loop") { server.run() } }
        servers[0].run()
        for other in others { other.join() }
    }

    /// Ends ``run()``; from any thread.
    func stop() { for server in servers { server.stop() } }

    /// Closes the sessions, after ``run()``.
    func close() {
        for room in rooms { room.close() }
        leave()
    }

    /// The projection has come this far.
    func projectionAdvanced(to position: Position) {
        for room in rooms {
            _ = room.hand.onLoop { room in
                room.hot.projectionAdvanced(to: position)
                room.questions.projectionAdvanced(to: position)
            }
        }
    }

    private func leave() { for room in rooms { room.hand.leave() } }
}
