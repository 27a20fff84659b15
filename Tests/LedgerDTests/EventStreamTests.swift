import EventStore
import LedgerCore
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import LedgerD

/// `GET /v1/events:stream`: events as they are appended, here or elsewhere.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct EventStreamTests {
    /// A notification that brings two events, unlike those of other numbers.
    private static func notification(_ bench: DaemonBench, _ number: Int) throws -> [UInt8] {
        let purchased = Instant.testNow.adding(milliseconds: -Int64(number) * 60_000 - 3_600_000)
        return try bench.store.notification(
            Sample.notification(Sample.transaction("560\(number)", purchased: purchased))
        )
    }

    private static func page(_ client: DaemonClient) throws -> [JSONValue] {
        try client.get("/v1/events")["items"]?.items ?? []
    }

    @Test func `events come as they are appended, and a reader resumes where it was`() async throws {
        try await withBench { bench throws in
            let daemon = try bench.start()
            let client = try daemon.client()
            let stream = try StreamReader(port: daemon.port)
            let answer = try stream.begin()
            #expect(answer.status == 200 && answer.headers["content-type"] == "text/event-stream")
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(try stream.nextBlock() == StreamReader.Block())  // the time to wait before coming again
            for number in 1...5 {
                #expect(try client.notify(try Self.notification(bench, number)).status == 200)
                for position in [Int64(number) * 2 - 1, Int64(number) * 2] {
                    let event = try #require(try stream.next())
                    #expect(event.id == position && event.json["position"]?.integer == position)
                }
            }
            let items = try Self.page(client)
            let all = try StreamReader(port: daemon.port, "?after=0")
            // The header field that a reader sends by itself wins over the address it was given.
            let resumed = try StreamReader(port: daemon.port, "?after=2", lastEventID: "7")
            let later = try StreamReader(port: daemon.port, "?after=8", lastEventID: "")
            for (reader, first) in [(all, 0), (resumed, 7), (later, 8)] {
                #expect(try reader.begin().status == 200)
                for item in items[first...] { #expect(try reader.next()?.json == item) }
            }
            for bad in ["x", "-1"] {
                let refused = try client.send("GET", "/v1/events:stream", headers: ["Last-Event-ID: \(bad)"])
                #expect(expectProblem(refused, 400, "malformed").contains("Last-Event-ID"))
            }
        }
    }

    @Test func `a filtered stream keeps positions`() async throws {
        try await withBench { bench throws in
            let daemon = try bench.start()
            let client = try daemon.client()
            let stream = try StreamReader(port: daemon.port, "?kind=transaction&transactionId=5603")
            #expect(try stream.begin().status == 200)
            for number in 1...4 { _ = try client.notify(try Self.notification(bench, number)) }
            let event = try #require(try stream.next())
            #expect(event.id == 6 && event.json["transactionId"]?.text == "5603")
        }
    }

    /// Both daemons look at the log once in an hour, so what comes later was announced.
    @Test func `what another daemon appends comes without waiting for the next look`() async throws {
        try await withBench { bench throws in
            let daemons = try (0..<2).map { _ in try bench.start(pollInterval: .seconds(3600)) }
            let clients = try daemons.map { try $0.client() }
            let streams = try daemons.map { try StreamReader(port: $0.port) }
            for stream in streams { #expect(try stream.begin().status == 200) }
            for number in 1...12 {
                _ = try clients[number % 2].notify(try Self.notification(bench, number))
                for stream in streams {
                    #expect(try stream.next()?.id == Int64(number) * 2 - 1)
                    #expect(try stream.next()?.id == Int64(number) * 2)
                }
            }
        }
    }

    @Test func `a lost session of the announcements is opened again, and nothing is missed`() async throws {
        try await withBench { bench throws in
            let daemons = try (0..<2).map { _ in try bench.start(pollInterval: .seconds(3600)) }
            let client = try daemons[0].client()
            let stream = try StreamReader(port: daemons[1].port)
            #expect(try stream.begin().status == 200)
            let owner = try bench.database.connect()
            defer { owner.close() }
            for number in 1...4 {
                _ = try client.notify(try Self.notification(bench, number))
                #expect(try stream.next()?.id == Int64(number) * 2 - 1)
                #expect(try stream.next()?.id == Int64(number) * 2)
                // Both sides lose it: one cannot say it, the other cannot hear it.
                try owner.execute(
                    """
                    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name = 'ledgerd progress'
                    """
                )
            }
        }
    }

    @Test func `readers that follow two daemons see every event once and in order while both append`() async throws {
        try await withBench { bench throws in
            let daemons = [try bench.start(), try bench.start()]
            let (writerCount, each) = (6, 40)
            let last = Int64(writerCount * each * 2)
            let documents = try (0..<writerCount * each).map { try Self.notification(bench, $0) }
            let seen = Mutex<[[Int64]]>([])
            try concurrently(writerCount + 4) { thread in
                if thread < writerCount {
                    let client = try daemons[thread % 2].client()
                    for number in 0..<each {
                        let answer = try client.notify(documents[thread * each + number])
                        #expect(answer["outcome"]?.text == "recorded")
                    }
                    return
                }
                let daemon = daemons[thread % 2]
                let positions =
                    thread < writerCount + 2 ? try Self.tail(daemon, last) : try Self.follow(daemon, last)
                seen.withLock { $0.append(positions) }
            }
            #expect(seen.withLock { $0 } == Array(repeating: Array(1...last), count: 4))
        }
    }

    /// Reads pages until the last event has come.
    private static func tail(_ daemon: RunningDaemon, _ last: Int64) throws -> [Int64] {
        let client = try daemon.client()
        var positions: [Int64] = []
        while positions.last ?? 0 < last {
            let page = try client.get("/v1/events?after=\(positions.last ?? 0)&limit=17&format=ndjson")
            #expect(page.status == 200)
            positions += try page.body.split(separator: UInt8(ascii: "\n")).compactMap {
                try JSONReader.value(of: Array($0))["position"]?.integer
            }
        }
        return positions
    }

    /// Reads a stream until the last event has come.
    private static func follow(_ daemon: RunningDaemon, _ last: Int64) throws -> [Int64] {
        let stream = try StreamReader(port: daemon.port)
        #expect(try stream.begin().status == 200)
        var positions: [Int64] = []
        while positions.last ?? 0 < last, let event = try stream.next() { positions.append(event.id) }
        return positions
    }

    @Test(arguments: 1...3 as ClosedRange<Int>)
    func `streams end properly when the daemon stops`(_ loopCount: Int) async throws {
        try await withBench(DaemonSetup(loopCount: loopCount)) { bench throws in
            let daemon = try bench.start()
            let client = try daemon.client()
            _ = try client.notify(try Self.notification(bench, 1))
            let streams = try (0..<5).map { _ in try StreamReader(port: daemon.port) }
            for stream in streams {
                #expect(try stream.begin().status == 200)
                #expect(try stream.next()?.id == 1 && stream.next()?.id == 2)
            }
            daemon.stop()
            for stream in streams { #expect(try stream.next() == nil) }
        }
    }

    @Test(arguments: 1...3 as ClosedRange<Int>)
    func `past the limit of streams a reader is sent away, and let in when another has gone`(
        _ loopCount: Int
    ) async throws {
        try await withBench(DaemonSetup(loopCount: loopCount)) { bench throws in
            let daemon = try bench.start()
            let client = try daemon.client()
            let streams = try (0..<FeedRoutes.streamsMax).map { _ in try StreamReader(port: daemon.port) }
            for stream in streams { #expect(try stream.begin().status == 200) }
            expectProblem(try client.get("/v1/events:stream"), 503, "overloaded", retryable: true)
            // Pages have a limit of their own.
            #expect(try client.get("/v1/events").status == 200)
            streams[7].close()
            try wait {
                let next = try StreamReader(port: daemon.port)
                defer { next.close() }
                return try next.begin().status == 200
            }
        }
    }
}
