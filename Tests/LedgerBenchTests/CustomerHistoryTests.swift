import Testing

@testable import LedgerBench

@Suite struct CustomerHistoryTests {
    @Test(arguments: [1, 2, 99] as [UInt64])
    func `a history depends on its number and seed only`(seed: UInt64) {
        var documents: Set<[UInt8]> = []
        for number in 0..<20 {
            var first = CustomerHistory(number: number, seed: seed)
            var second = CustomerHistory(number: number, seed: seed)
            for step in 0..<10 {
                let time = 1_790_000_000_000 + Int64(step / 2) * 86_400_000
                let document = first.next(at: time)
                #expect(document == second.next(at: time), "seed \(seed), customer \(number), step \(step)")
                #expect(documents.insert(document).inserted, "seed \(seed), customer \(number), step \(step)")
            }
        }
    }

    @Test func `a load mixes purchases, renewals, changes of mind and refunds`() throws {
        var types: Set<String> = []
        for number in 0..<200 {
            var history = CustomerHistory(number: number, seed: 5)
            for step in 0..<6 {
                let body = String(
                    decoding: history.next(at: 1_790_000_000_000 + Int64(step) * 86_400_000),
                    as: UTF8.self
                )
                let type = body.split(separator: "\"", maxSplits: 4)[3]
                types.insert(String(type))
            }
        }
        #expect(
            types == ["SUBSCRIBED", "DID_RENEW", "DID_CHANGE_RENEWAL_STATUS", "ONE_TIME_CHARGE", "REFUND"]
        )
    }

    @Test(arguments: [1, 4, 400])
    func `a timeline stays in order and before its end`(steps: Int) {
        let timeline = Timeline(until: 1_790_000_000_000, steps: steps)
        for customer in [0, 1, 1_008, 54_321] {
            let times = (0..<steps).map { timeline.time(customer: customer, step: $0) }
            #expect(times == times.sorted())
            #expect(times.allSatisfy { $0 <= timeline.until && $0 > timeline.until - 36 * 86_400_000 })
        }
    }
}
