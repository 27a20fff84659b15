import EventStore
import HTTPServer
import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// Readers that do not read cost a buffer, and nobody else anything.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct SlowReaderTests {
    /// Puts events of two kilobytes into the log past the daemon, which has nothing to verify them by.
    private static func fill(_ database: TestDatabase, _ count: Int64) throws {
        try database.execute(
            """
            INSERT INTO ledger.events (position, recorded_at, kind, environment, source, digest, payload, subtype)
              SELECT n, 0, 6, 0, 5, substring(sha256(n::text::bytea) FOR 16), '{}', repeat('x', 2000)
              FROM generate_series(1, \(count)) n;
            UPDATE ledger.head SET position = \(count);
            """
        )
    }

    @Test func `readers that do not read hold up nobody, and get everything when they do`() async throws {
        try await withBench { bench throws in
            // Three megabytes: more than the sockets of a reader that takes little at once, and its buffer, hold.
            let count: Int64 = 1500
            try Self.fill(bench.database, count)
            let daemon = try bench.start()
            // More than there are threads for the feed.
            let slow = try (0..<4).map { _ in try StreamReader(port: daemon.port, receiveBufferBytes: 32_768) }
            for reader in slow { #expect(try reader.begin().status == 200) }
            let fast = try StreamReader(port: daemon.port)
            #expect(try fast.begin().status == 200)
            for position in 1...count { try #require(try fast.next()?.id == position) }
            let client = try daemon.client()
            #expect(try client.get("/v1/events?after=\(count - 1)")["items"]?.items.count == 1)
            // On a busy machine the reader may have been cut off by now; then it comes again, as readers do.
            var (reader, position, attempts) = (slow[0], 0 as Int64, 0)
            while position < count {
                if let event = try? reader.next() {
                    position += 1
                    try #require(event.id == position)
                } else {
                    attempts += 1
                    try #require(attempts < 10)
                    reader = try StreamReader(port: daemon.port, lastEventID: "\(position)")
                    #expect(try reader.begin().status == 200)
                }
            }
        }
    }

    @Test func `a page ends at its limit of bytes, and the next one goes on`() async throws {
        try await withBench { bench throws in
            // Eleven megabytes: more than a page.
            let count: Int64 = 5000
            try Self.fill(bench.database, count)
            let client = try bench.start().client()
            let first = try client.get("/v1/events?limit=10000")
            let positions = first["items"]?.items.compactMap { $0["position"]?.integer } ?? []
            #expect(first.body.count >= FeedWork.pageBytesMax)
            #expect(first.body.count <= FeedWork.pageBytesMax + FeedWork.stepBytesMax + 4096)
            let next = try #require(first["next"]?.text)
            let rest = try client.get("/v1/events?limit=10000&cursor=\(next)")
            let others = rest["items"]?.items.compactMap { $0["position"]?.integer } ?? []
            #expect(positions + others == Array(1...count))
            #expect(rest["next"] == .null && rest.position == count)
        }
    }

    @Test func `one step encodes a bounded piece, and steps lead through the log`() async throws {
        let database = TestDatabase.current
        try await database.run { connection throws in
            let count: Int64 = 1500
            try Self.fill(database, count)
            var query = FeedQuery(format: .ndjson, after: .start, limit: nil, filter: FeedFilter())
            var work = FeedWork(query)
            var look = StreamLook.more
            while look == .more {
                let before = work.cursor
                look = try work.look(connection)
                let stream = ResponseStream(bufferBytesMax: 2 * FeedWork.stepBytesMax)
                #expect(work.send(to: stream) == .all)
                #expect(stream.waitingBytes <= FeedWork.stepBytesMax + 4096)
                #expect(work.cursor > before || look == .atEnd)
            }
            #expect(work.cursor == Position(count))
            // What is not there is looked for up to the head.
            query.filter.transactionID = TransactionID(rawValue: "1")
            work = FeedWork(query)
            #expect(try work.look(connection) == .atEnd)
            #expect(work.cursor == Position(count))
        }
    }
}
