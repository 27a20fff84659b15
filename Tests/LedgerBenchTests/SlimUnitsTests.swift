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
}
