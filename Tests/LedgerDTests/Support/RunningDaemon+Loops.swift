import Testing

@testable import LedgerD

extension RunningDaemon {
    /// So many connections for each loop are opened at most, to find one that it serves: that none of so many comes to
    /// one of three loops happens once in 10^17 runs.
    private static let attemptsPerLoop = 32

    /// A connection to each loop, in the loops' order; nobody else may ask meanwhile.
    ///
    /// The kernel chooses the loop of a connection; which one it was is seen by who counts its first question.
    func clientOfEachLoop() throws -> [DaemonClient] {
        var clients: [Int: DaemonClient] = [:]
        for _ in 0..<Self.attemptsPerLoop * loops.rooms.count where clients.count < loops.rooms.count {
            let client = try client()
            let before = askedByLoop
            #expect(try client.entitlements("transactionId=0").status == 200)
            let loop = try #require(zip(before, askedByLoop).enumerated().first { $1.0 != $1.1 }?.offset)
            clients[loop] = clients[loop] ?? client
        }
        return try loops.rooms.indices.map { try #require(clients[$0], "loop \($0) has a connection") }
    }

    /// Whether a loop has ended: it takes no work any more.
    func hasEnded(loop: Int) -> Bool { !loops.rooms[loop].hand.onLoop { _ in } }

    /// Questions about now that each loop has got.
    private var askedByLoop: [Int] { loops.tallies.map(\.counts).map { $0.hits + $0.misses } }
}
