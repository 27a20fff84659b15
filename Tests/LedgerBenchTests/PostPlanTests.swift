import Testing

@testable import LedgerBench

@Suite struct PostPlanTests {
    @Test(arguments: [1, 2, 4], [nil, 7] as [UInt64?])
    func `every line is sent, each tenth a second time through another target`(targets: Int, seed: UInt64?) {
        let plan = PostPlan(lines: 95, targets: targets, shuffleSeed: seed, repeatEvery: 10)
        var senders: [Int32: [Int]] = [:]
        for (target, queue) in plan.queues.enumerated() {
            for line in queue { senders[line, default: []].append(target) }
        }
        #expect(Set(senders.keys) == Set(0..<95))
        let repeated = senders.values.filter { $0.count == 2 }
        #expect(repeated.count == 10)
        #expect(senders.values.allSatisfy { $0.count <= 2 })
        if targets > 1 { #expect(repeated.allSatisfy { $0[0] != $0[1] }) }
        #expect(plan.count == 105)
    }

    @Test func `a shuffle depends on its seed only`() {
        func queues(_ seed: UInt64) -> [[Int32]] {
            PostPlan(lines: 50, targets: 2, shuffleSeed: seed, repeatEvery: nil).queues
        }
        #expect(queues(1) == queues(1))
        #expect(queues(1) != queues(2))
    }

    @Test func `percentiles are the smallest times that cover their share`() {
        var record = LatencyRecord()
        for time in (1...200).reversed() { record.add(nanoseconds: time) }
        #expect(record.percentiles([0.5, 0.99, 1]) == [100, 198, 200])
        #expect(record.maximum == 200)
        #expect(LatencyRecord().percentiles([0.5]) == [0])
    }
}
