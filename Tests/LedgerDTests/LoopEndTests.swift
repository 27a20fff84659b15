import HTTPServer
import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// The end of a daemon's loops: each goes on until its own clients have their answers, whatever became of the others.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct LoopEndTests {
    /// A notification that brings two events, unlike those of other numbers.
    private static func notification(_ bench: DaemonBench, _ number: Int) throws -> [UInt8] {
        let transaction = Sample.transaction("56000\(number)", purchased: Instant.testNow.adding(days: -1))
        return try bench.store.notification(Sample.notification(transaction))
    }

    /// Tells a daemon to stop, and waits until all of its loops but one have ended.
    private static func stop(_ daemon: RunningDaemon, except last: Int) throws {
        daemon.beginToStop()
        try wait { daemon.loops.rooms.indices.allSatisfy { $0 == last || daemon.hasEnded(loop: $0) } }
    }

    @Test(arguments: [[0], [0, 1], [1, 0], [0, 1, 2], [1, 2, 0], [2, 1, 0]])
    func `loops end one after the other, each when its questions are answered`(_ order: [Int]) async throws {
        try await withBench(DaemonSetup(loopCount: order.count)) { bench throws in
            let (daemon, other) = (try bench.start(), try bench.start())
            let clients = try daemon.clientOfEachLoop()
            let recorder = try other.client()
            // Each waits for what the other daemon will append and fold.
            for (turn, loop) in order.enumerated() {
                let position = 2 * turn + 1
                clients[loop].begin("GET", "/v1/entitlements?transactionId=0&minPosition=\(position)&waitMs=20000")
            }
            try wait { daemon.loops.tallies.allSatisfy { $0.counts.waitingForProjection == 1 } }
            daemon.beginToStop()
            for (turn, loop) in order.enumerated() {
                #expect(order[turn...].allSatisfy { !daemon.hasEnded(loop: $0) } && !daemon.hasEnded)
                #expect(try recorder.notify(try Self.notification(bench, turn)).status == 200)
                let answer = try clients[loop].finish()
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.position.map { $0 > 2 * turn } == true)
                try wait { daemon.hasEnded(loop: loop) }
            }
            try wait { daemon.hasEnded }
        }
    }

    /// The clock of the streams tells it, and must do so for whichever loop is the last.
    @Test(arguments: 0..<3 as Range<Int>)
    func `a register that waits in the last loop gives up in time`(_ last: Int) async throws {
        try await withBench(DaemonSetup(loopCount: 3)) { bench throws in
            let daemon = try bench.start()
            let client = try daemon.clientOfEachLoop()[last]
            let before = daemon.loops.metrics.snapshot.requests
            client.begin("GET", "/v1/registers/refunds?minPosition=1000&waitMs=2000")
            try wait { daemon.loops.metrics.snapshot.requests > before }
            try Self.stop(daemon, except: last)
            expectProblem(try client.finish(), 409, "notYetProjected", retryable: true)
            try wait { daemon.hasEnded }
        }
    }

    @Test(arguments: 0..<3 as Range<Int>)
    func `what loops that have ended counted is told by the last one`(_ last: Int) async throws {
        try await withBench(DaemonSetup(loopCount: 3)) { bench throws in
            let daemon = try bench.start()
            let clients = try daemon.clientOfEachLoop()
            for (number, client) in clients.enumerated() {
                for _ in 0...number { #expect(try client.entitlements("transactionId=0").status == 200) }
            }
            let before = try MetricsReading(try clients[last].get("/metrics").text)
            let requests = daemon.loops.metrics.snapshot.requests
            clients[last].sendPart("GET /metrics HTTP/1.1\r\nHost: ")
            try wait { daemon.loops.metrics.snapshot.requests > requests }
            try Self.stop(daemon, except: last)
            clients[last].sendPart("test\r\n\r\n")
            let after = try MetricsReading(try clients[last].finish().text)
            let results = ["hit", "miss"].map { "ledgerd_hot_reads_total{result=\"\($0)\"}" }
            for name in results { #expect(after[name] == before[name], "\(name)") }
            // Those that found the connections, and what was asked on them afterwards.
            #expect(results.compactMap { after[$0] }.reduce(0, +) >= Double(3 + 6))
        }
    }
}
