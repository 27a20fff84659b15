import EventStore
import LedgerCore
import TestSupport
import Testing

/// The feed: the log in order, a page at a time, with filters that keep positions.
@Suite("Feed", .database, .timeLimit(.minutes(10)))
struct FeedTests {
    private func pages(_ reader: EventReader, limit: Int, _ filter: FeedFilter) throws -> [Position] {
        let head = try reader.head().position
        var positions: [Position] = []
        while true {
            let page = try reader.feed(
                after: positions.last ?? .start,
                upTo: head,
                limit: limit,
                filter: filter
            )
            if page.isEmpty { return positions }
            #expect(page.count <= limit)
            positions += page.map(\.position)
        }
    }

    @Test(arguments: [1, 2, 7, 1000])
    func `pages of any size are the log, and each filter keeps what it names`(_ limit: Int) async throws {
        let store = try SimulatedStore.shared()
        let units = try (0..<12).map { number in
            let id = "\(100 + number)"
            // Renewal infos and transactions in turn, on three lines.
            let payload: Payload =
                number % 2 == 0 ? .transaction(id, line: "\(number % 3)") : .renewalInfo(line: "\(number % 3)")
            return AppendUnit(
                try store.verified(
                    payload.with(["signedDate": .integer(1_770_000_000_000 + Int64(number))]),
                    as: number % 2 == 0 ? .transaction : .renewalInfo
                ),
                source: .device
            )
        }
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            _ = try log.appender.append(units, on: connection)
            let events = try log.all().map(\.event)
            #expect(try pages(log.reader, limit: limit, FeedFilter()) == events.map(\.position))
            #expect(
                try pages(log.reader, limit: limit, FeedFilter(kind: .renewalInfo))
                    == events.filter { $0.kind == .renewalInfo }.map(\.position)
            )
            let line = try #require(events.compactMap(\.originalTransactionID).first)
            #expect(
                try pages(log.reader, limit: limit, FeedFilter(environment: .production, lines: [line]))
                    == events.filter { $0.originalTransactionID == line && $0.environment == .production }
                    .map(\.position)
            )
            #expect(try pages(log.reader, limit: limit, FeedFilter(environment: .sandbox, lines: [])).isEmpty)
        }
    }

    @Test func `an event of the feed has the keys of the event, and nothing above the bound is shown`() async throws {
        let purchase = try SamplePurchase()
        let unit = try AppendUnit(purchase.notification(), source: .notification)
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            _ = try log.append(unit)
            let feed = try log.reader.feed(after: .start, upTo: Position(2), limit: 10, filter: FeedFilter())
            #expect(feed.map(\.position.rawValue) == [1, 2])
            for item in feed {
                let event = try log.event(at: item.position.rawValue).event
                #expect(item.kind == event.kind && item.transactionID == event.transactionID)
                #expect(item.causedBy == event.causedBy && item.signedAt == event.signedAt)
                #expect(item.notificationID == event.notificationID && item.bundleID == event.bundleID)
            }
        }
    }
}
