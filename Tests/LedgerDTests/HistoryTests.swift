import EventStore
import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// The two clocks: `at` and `knownAt` give what was answered live at that time.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct HistoryTests {
    /// What the daemon answered live, and how to ask for it later.
    struct Remembered: Sendable {
        var key: String
        var at: Instant
        var body: JSONValue
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `what was answered live is answered again later, by position`(_ number: UInt64) async throws {
        let seed = 0x1ED6_E200 + number
        try await withDaemon { bench, client throws in
            var random = SeededGenerator(seed: seed)
            var story = RandomStory(&random)
            bench.clock.now = RandomStory.start.adding(days: 400)
            var remembered: [Remembered] = []
            var position: Int64 = 0
            for document in story.documents.shuffled(using: &random) {
                // Documents signed long ago arrive in any order; the clock goes on by some hours.
                bench.clock.advance(hours: Int64.random(in: 0...90, using: &random))
                position = max(position, try client.notify(try bench.store.notification(document)).position ?? 0)
                for key in story.keys {
                    let live = try client.entitlements("\(key)&minPosition=\(position)")
                    #expect(live.status == 200 && live.position == position)
                    remembered.append(Remembered(key: key, at: bench.clock.now, body: live.json))
                }
            }
            story.keys.shuffle(using: &random)
            bench.clock.advance(days: 1000)
            for then in remembered {
                let known = try #require(then.body["position"]?.integer)
                let again = try client.entitlements("\(then.key)&at=\(then.at.milliseconds)&knownAt=\(known)")
                #expect(
                    again.json == then.body.with(["knownAt": .integer(known)]),
                    "seed \(seed), \(then.key) at \(then.at.rfc3339), position \(known)"
                )
            }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `the future is answered from the tables as the past will be from the log`(_ number: UInt64) async throws {
        let seed = 0x1ED6_E300 + number
        try await withDaemon { bench, client throws in
            var random = SeededGenerator(seed: seed)
            let story = RandomStory(&random)
            var position: Int64 = 0
            bench.clock.now = RandomStory.start.adding(days: 200)
            for document in story.documents {
                position = max(position, try client.notify(try bench.store.notification(document)).position ?? 0)
            }
            var foreseen: [Remembered] = []
            for key in story.keys {
                for _ in 0..<8 {
                    let at = bench.clock.now.adding(milliseconds: Int64.random(in: 0...80 * 86_400_000, using: &random))
                    let answer = try client.entitlements("\(key)&at=\(at.milliseconds)&minPosition=\(position)")
                    foreseen.append(Remembered(key: key, at: at, body: answer.json))
                }
            }
            bench.clock.advance(days: 1000)
            for then in foreseen {
                let again = try client.entitlements("\(then.key)&at=\(then.at.rfc3339)")
                #expect(again.json == then.body, "seed \(seed), \(then.key) at \(then.at.rfc3339)")
            }
        }
    }

    @Test func `knownAt as a time counts what was recorded by then`() async throws {
        try await withDaemon { bench, client throws in
            let purchased = Instant.testNow.adding(days: -5)
            for number in 1...6 {
                let signed = try bench.store.document(
                    Sample.transaction("56000\(number)", product: "com.example.\(number)", purchased: purchased)
                )
                #expect(try client.post(transactions: [signed]).status == 200)
            }
            let log = try LedgerState(bench.database)
            let key = "appTransactionId=\(Sample.customer)"
            for event in log.events.map(\.event) {
                let time = event.recordedAt
                let last = log.events.last { $0.event.recordedAt <= time }?.event.position.rawValue
                let byTime = try client.entitlements("\(key)&knownAt=\(time.milliseconds)")
                #expect(byTime.position == last)
                #expect(byTime["entitlements"]?.items.count == last.map(Int.init))
                #expect(byTime["knownAt"]?.text == time.rfc3339)
                let before = try client.entitlements("\(key)&knownAt=\(time.adding(milliseconds: -1).rfc3339)")
                let earlier = log.events.count { $0.event.recordedAt < time }
                #expect(before["entitlements"]?.items.count == earlier)
            }
            let nothing = try client.entitlements("\(key)&knownAt=0")
            #expect(nothing.position == 0)
            #expect(nothing["entitlements"] == [])
            let all = try client.entitlements("\(key)&knownAt=2999-01-01T00:00:00Z")
            #expect(all.position == 6)
        }
    }

    @Test func `a history imported later answers questions about the time before`() async throws {
        try await withDaemon { bench, client throws in
            let purchased = Instant.testNow.adding(days: -300)
            let transaction = Sample.subscription("560001", purchased: purchased)
                .with(["signedDate": .instant(.testNow)])
            #expect(try client.post(transactions: [try bench.store.document(transaction)]).status == 200)
            let then = try client.entitlements("transactionId=560001&at=\(purchased.adding(days: 10).milliseconds)")
            #expect(then["subscriptions"]?[0]?["status"]?.integer == 1)
            let after = try client.entitlements("transactionId=560001&at=\(purchased.adding(days: 31).milliseconds)")
            #expect(after["subscriptions"]?[0]?["status"]?.integer == 2)
            let before = try client.entitlements("transactionId=560001&at=\(purchased.adding(days: -1).milliseconds)")
            #expect(before["entitlements"] == [])
        }
    }

    @Test func `a token that moved on is found where it was and where it is`() async throws {
        try await withDaemon { bench, client throws in
            let (first, second) = (Sample.newUUID(), Sample.newUUID())
            let purchased = Instant.testNow.adding(days: -20)
            let transaction = Sample.subscription("560001", purchased: purchased)
            let moved = purchased.adding(days: 10)
            for (token, signed) in [(first, purchased), (second, moved)] {
                let document = transaction.with(["appAccountToken": .string(token), "signedDate": .instant(signed)])
                #expect(try client.post(transactions: [try bench.store.document(document)]).status == 200)
            }
            func count(_ token: String, _ rest: String) throws -> Int? {
                try client.entitlements(
                    "appAccountToken=\(token)&minPosition=\(rest.contains("known") ? 0 : 2)\(rest)"
                )["entitlements"]?.items.count
            }
            let before = "&at=\(moved.milliseconds - 1)"
            #expect(try count(first, "") == 0 && count(second, "") == 1)
            #expect(try count(first, before) == 1 && count(second, before) == 0)
            #expect(try count(first, "&knownAt=1") == 1 && count(second, "&knownAt=1") == 0)
        }
    }
}
