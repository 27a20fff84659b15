import HTTPServer
import LedgerCore
import Projections
import TestSupport
import Testing
import Threads

@testable import LedgerD

/// What the loops of a daemon share: an address, its limits, and what is told of them.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct LoopsTests {
    @Test(arguments: 1...3 as ClosedRange<Int>)
    func `connections and bodies of all loops together have the limits of one server`(_ count: Int) async throws {
        try await withBench(DaemonSetup(loopCount: count)) { bench throws in
            let parts = try bench.start().loops.servers.map(\.configuration)
            let whole = HTTPServerConfiguration()
            #expect(parts.count == count)
            #expect(parts.map(\.connectionsMax).reduce(0, +) == whole.connectionsMax)
            #expect(parts.map(\.bodiesBytesMax).reduce(0, +) == whole.bodiesBytesMax)
        }
    }

    @Test(arguments: 1...3 as ClosedRange<Int>)
    func `kept answers of all loops together fill the room that is configured, and no more`(_ count: Int) async throws {
        var setup = DaemonSetup(loopCount: count)
        setup.hotReadsBytes = 100_001
        let (bytesMax, answersMax) = (setup.hotReadsBytes, 1000)
        try await withBench(setup) { bench throws in
            let daemon = try bench.start()
            for (loop, client) in try daemon.clientOfEachLoop().enumerated() {
                var number = 0
                while daemon.loops.tallies[loop].counts.drops.evicted == 0 {
                    number += 1
                    try #require(number < answersMax, "the room of loop \(loop) is full")
                    #expect(try client.entitlements("transactionId=\(number)").status == 200)
                }
            }
            let kept = LoopCounts.sum(daemon.loops.tallies).kept.bytes
            // In each loop there may be room for less than one more.
            let answerBytesMax = 1000
            #expect(kept <= bytesMax && kept > bytesMax - count * answerBytesMax)
        }
    }

    /// The daemon looks at the log once in an hour by itself, so its own clock has woken them.
    @Test(arguments: 1...3 as ClosedRange<Int>)
    func `what is appended reaches the streams of every loop`(_ count: Int) async throws {
        try await withBench(DaemonSetup(loopCount: count)) { bench throws in
            let daemon = try bench.start(pollInterval: .seconds(3600))
            let client = try daemon.client()
            // That one of three loops has none of so many happens once in 10^10 runs.
            let streams = try (0..<FeedRoutes.streamsMax).map { _ in try StreamReader(port: daemon.port) }
            for stream in streams { #expect(try stream.begin().status == 200) }
            for number in 1...3 as ClosedRange<Int64> {
                let transaction = Sample.transaction("56000\(number)", purchased: Instant.testNow.adding(days: -1))
                let document = try bench.store.notification(Sample.notification(transaction))
                #expect(try client.notify(document).status == 200)
                for stream in streams {
                    #expect(try stream.next()?.id == number * 2 - 1)
                    #expect(try stream.next()?.id == number * 2)
                }
            }
        }
    }

    @Test(arguments: [2, 3])
    func `a loop that is busy, and may have no more work waiting, is told in the metrics`(_ count: Int) async throws {
        try await withBench(DaemonSetup(loopCount: count)) { bench throws in
            let daemon = try bench.start()
            let clients = try daemon.clientOfEachLoop()
            for client in clients {
                for _ in 1...3 { #expect(try client.entitlements("transactionId=0").status == 200) }
            }
            let before = LoopCounts.sum(daemon.loops.tallies)
            let (isHeld, gate) = (try WaitSignal(), try WaitSignal())
            defer { gate.stop() }
            let hand = daemon.loops.rooms[0].hand
            _ = hand.onLoop { _ in
                isHeld.stop()
                _ = gate.wait(for: .seconds(60))
            }
            #expect(isHeld.wait(for: .seconds(60)))
            while hand.onLoop({ _ in }) {}
            let reading = try MetricsReading(try clients[1].get("/metrics").text)
            #expect(reading["ledgerd_hot_reads_total{result=\"hit\"}"] == Double(before.hits))
            #expect(reading["ledgerd_hot_reads_total{result=\"miss\"}"] == Double(before.misses))
            #expect(before.hits + before.misses >= 4 * count)
        }
    }
}
