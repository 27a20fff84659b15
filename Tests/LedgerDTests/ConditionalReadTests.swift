import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// `ETag`, `If-None-Match` and `Cache-Control` of entitlement sets (RFC 9110 sections 8.8.3 and 13.1.2).
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct ConditionalReadTests {
    @Test func `the tag stays while the answer does, and changes when time alone changes it`() async throws {
        try await withDaemon { bench, client throws in
            try EntitlementsRouteTests.subscribe(bench, client)
            let first = try client.entitlements("transactionId=560001&minPosition=3")
            let tag = try #require(first.headers["etag"])
            #expect(tag.count == 34 && tag.hasPrefix("\"") && tag.hasSuffix("\""))
            // Later, and after an event about somebody else.
            bench.clock.advance(days: 1)
            let other = Sample.transaction("560008", customer: "704998812345670108", purchased: .testNow)
            #expect(try client.post(transactions: [try bench.store.document(other)]).status == 200)
            let later = try client.entitlements("transactionId=560001&minPosition=4")
            #expect(later.headers["etag"] == tag)
            #expect(later.json != first.json, "at and position have moved")
            // One millisecond before the period ends, and when it does.
            let end = EntitlementsRouteTests.purchased.adding(days: 30)
            bench.clock.now = end.adding(milliseconds: -1)
            #expect(try client.entitlements("transactionId=560001").headers["etag"] == tag)
            bench.clock.now = end
            let expired = try client.entitlements("transactionId=560001")
            #expect(expired["entitlements"] == [])
            #expect(expired.headers["etag"] != tag)
        }
    }

    @Test func `a caller who has the answer gets 304 without a body`() async throws {
        try await withDaemon { bench, client throws in
            try EntitlementsRouteTests.subscribe(bench, client)
            // The live tables, and the fold over the past.
            for rest in ["", "&at=\(Instant.testNow.milliseconds - 1)"] {
                let target = "/v1/entitlements?transactionId=560001&minPosition=3" + rest
                let tag = try #require(try client.get(target).headers["etag"])
                for known in [tag, "W/\(tag)", "\"x\", \(tag)", "\"a,b\" ,\t\(tag) , \"y\"", "*"] {
                    let answer = try client.send("GET", target, headers: ["If-None-Match: \(known)"])
                    #expect(answer.status == 304, "\(known)")
                    #expect(answer.body.isEmpty)
                    #expect(answer.headers["etag"] == tag)
                    #expect(answer.headers["cache-control"]?.hasPrefix("private, max-age=") == true)
                }
                for unknown in ["\"x\"", String(tag.dropFirst().dropLast()), "W/\"x\"", ""] {
                    let answer = try client.send("GET", target, headers: ["If-None-Match: \(unknown)"])
                    #expect(answer.status == 200, "\(unknown)")
                    #expect(!answer.body.isEmpty)
                }
            }
        }
    }

    @Test func `an event that changes the answer changes its tag`() async throws {
        try await withDaemon { bench, client throws in
            try EntitlementsRouteTests.subscribe(bench, client)
            let before = try client.entitlements("transactionId=560001&minPosition=3")
            let refund = Sample.subscription("560001", purchased: EntitlementsRouteTests.purchased)
                .refunded(at: .testNow)
            #expect(try client.post(transactions: [try bench.store.document(refund)]).status == 200)
            let after = try client.send(
                "GET",
                "/v1/entitlements?transactionId=560001&minPosition=4",
                headers: ["If-None-Match: \(before.headers["etag"] ?? "")"]
            )
            #expect(after.status == 200)
            #expect(after["subscriptions"]?[0]?["status"]?.integer == 5)
        }
    }

    @Test func `an answer may be kept for five seconds, never past its next change, and longer when it is final`()
        async throws
    {
        try await withDaemon { bench, client throws in
            try EntitlementsRouteTests.subscribe(bench, client)
            let end = EntitlementsRouteTests.purchased.adding(days: 30)
            func maxAge(_ rest: String, clock: Instant = .testNow) throws -> String? {
                bench.clock.now = clock
                let answer = try client.entitlements("transactionId=560001" + rest)
                #expect(answer.status == 200)
                return answer.headers["cache-control"].map { String($0.trimmingPrefix("private, max-age=")) }
            }
            #expect(try maxAge("&minPosition=3") == "5")
            #expect(try maxAge("", clock: end.adding(milliseconds: -5001)) == "5")
            #expect(try maxAge("", clock: end.adding(milliseconds: -3001)) == "3")
            #expect(try maxAge("", clock: end.adding(milliseconds: -999)) == "0")
            #expect(try maxAge("", clock: end) == "5")
            // One clock in the past leaves the other going on; a position that is not reached yet is not the past.
            let past = "&at=\(Instant.testNow.milliseconds - 1)"
            #expect(try maxAge(past) == "5")
            #expect(try maxAge("&knownAt=3") == "5")
            #expect(try maxAge(past + "&knownAt=4") == "5")
            #expect(try maxAge(past + "&knownAt=2999-01-01T00:00:00Z") == "5")
            #expect(try maxAge(past + "&knownAt=3") == "3600")
            #expect(try maxAge("&knownAt=3&at=\(end.milliseconds - 60_001)") == "60")
        }
    }
}
