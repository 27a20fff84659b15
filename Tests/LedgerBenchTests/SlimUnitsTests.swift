import EventStore
import LedgerCore
import Testing

@testable import LedgerBench

@Suite struct SlimUnitsTests {
    @Test(arguments: [1, 2, 3, 64, 256])
    func `a batch has as many events as were asked for`(count: Int) {
        var units = SlimUnits(seed: 7)
        #expect(units.batch(events: count).reduce(0) { $0 + $1.events.count } == count)
    }

    @Test func `units depend on seed and stream only, and no document comes twice`() {
        var first = SlimUnits(seed: 7, stream: 1)
        var second = SlimUnits(seed: 7, stream: 1)
        var other = SlimUnits(seed: 7, stream: 2)
        var digests: Set<DocumentDigest> = []
        for _ in 0..<20 {
            let units = first.batch(events: 8)
            #expect(units == second.batch(events: 8))
            for event in (units + other.batch(events: 8)).flatMap(\.events) {
                #expect(digests.insert(event.digest).inserted)
            }
        }
    }

    @Test func `texts are cut out of a notification where its payload has a place for them`() throws {
        var units = SlimUnits(seed: 7)
        let events = try #require(units.batch(events: 3).first).events
        let payload = events[0].payload
        for (event, name) in zip(events.dropFirst(), ["signedTransactionInfo", "signedRenewalInfo"]) {
            let offset = Int(try #require(event.cutOffset))
            #expect(String(decoding: payload[..<offset], as: UTF8.self).hasSuffix("\"\(name)\":\""), "\(event.kind)")
            #expect(payload[offset] == UInt8(ascii: "\""))
        }
    }

    @Test(arguments: [(0, 5), (0, 3), (200, 5), (7, 1_000)])
    func `a customer comes with each so many events, and no unit is about one who has not come`(
        _ before: Int,
        _ eventsEach: Int
    ) {
        var units = SlimUnits(seed: 7, customers: .growing(from: before, eventsEach: eventsEach))
        var events = 0
        var seen = Set((0..<before).map(SlimCustomers.appTransactionID))
        for unit in (0..<8).flatMap({ _ in units.batch(events: 256) }) {
            events += unit.events.count
            seen.formUnion(unit.events.compactMap(\.appTransactionID?.rawValue))
            #expect(seen.count == before + (events + eventsEach - 1) / eventsEach)
        }
        #expect(seen == Set((0..<units.customers.count).map(SlimCustomers.appTransactionID)))
    }
}
