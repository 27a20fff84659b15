import EventStore
import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// `GET /v1/transactions` and `/v1/timeline`: what the ledger knows about a customer, page by page.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct CustomerListTests {
    static let purchased = Instant.testNow.adding(days: -1)
    static let key = "appTransactionId=\(Sample.customer)"

    @Test func `a transaction has all of Apple's fields and what the ledger knows besides`() async throws {
        try await withDaemon { bench, client throws in
            let refunded = Instant.testNow.adding(milliseconds: -5000)
            let coins = Sample.transaction("560001", product: "com.example.coins", purchased: Self.purchased)
                .with(["type": "Consumable", "offerType": 9])
            let after = coins.refunded(at: refunded, type: "REFUND_PRORATED", percentage: 40_000)
            let shared = Sample.subscription("560002", purchased: Self.purchased)
                .with(["inAppOwnershipType": "FAMILY_SHARED"]).refunded(at: refunded, type: "FAMILY_REVOKE")
            _ = try client.post(transactions: try [coins, shared].map { try bench.store.document($0) })
            _ = try client.notify(try bench.store.notification(Sample.notification(after, type: "REFUND")))
            let answer = try client.get("/v1/transactions?\(Self.key)&minPosition=4")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json.names == ["items", "next", "position"])
            #expect(answer["next"]?.isNull == true)
            #expect(answer.position == 4)
            let first = try #require(answer["items"]?[0])
            for (name, value) in after.members {
                let isTime = name.hasSuffix("Date")
                let expected = isTime ? .string(Instant(milliseconds: value.integer ?? 0).rfc3339) : value
                #expect(first[name] == expected, "\(name)")
            }
            let own: Set = ["position", "recordedAt", "source", "revocation", "refunded", "versions"]
            #expect(first.names == Set(after.members.keys).union(own))
            #expect(first["position"]?.integer == 4)
            #expect(first["source"]?.text == "notification")
            #expect(first["versions"]?.integer == 2)
            #expect(first["refunded"] == ["currency": "USD", "milliunits": 3996])
            #expect(
                first["revocation"] == [
                    "revocationType": "REFUND_PRORATED", "revocationReason": 0, "revocationPercentage": 40_000,
                    "revocationDate": .string(refunded.rfc3339),
                ]
            )
            let recorded = try LedgerState(bench.database).events[3].event.recordedAt
            #expect(first["recordedAt"]?.text == recorded.rfc3339)
            let second = try #require(answer["items"]?[1])
            #expect(second["source"]?.text == "device")
            #expect(second["refunded"]?.isNull == true)
            #expect(second["revocation"]?["revocationType"]?.text == "FAMILY_REVOKE")
        }
    }

    @Test func `both clocks narrow what is listed`() async throws {
        try await withDaemon { bench, client throws in
            let later = Instant.testNow.adding(days: -1).adding(milliseconds: 7_200_000)
            let transaction = Sample.transaction("560001", purchased: Self.purchased)
            for document in [transaction, transaction.refunded(at: later)] {
                _ = try client.post(transactions: [try bench.store.document(document)])
            }
            func revoked(_ rest: String) throws -> Bool? {
                let item = try client.get("/v1/transactions?\(Self.key)&\(rest)")["items"]?[0]
                return item.map { $0["revocation"]?.isNull == false }
            }
            #expect(try revoked("minPosition=2") == true)
            #expect(try revoked("knownAt=1") == false)
            #expect(try revoked("knownAt=0") == nil)
            #expect(try revoked("at=\(later.milliseconds - 1)") == false)
            #expect(try revoked("at=\(later.milliseconds)") == true)
            func events(_ rest: String) throws -> Int? {
                try client.get("/v1/timeline?\(Self.key)&\(rest)")["items"]?.items.count
            }
            #expect(try events("minPosition=2") == 2)
            #expect(try events("knownAt=1") == 1)
            #expect(try events("at=\(later.milliseconds - 1)") == 1)
        }
    }

    @Test(arguments: ["transactions", "timeline"])
    func `the pages of a list are one list, whatever is appended meanwhile`(_ list: String) async throws {
        try await withDaemon { bench, client throws in
            func buy(_ id: Int, day: Int64) throws {
                let bought = Self.purchased.adding(days: -day)
                let document = Sample.transaction("5600\(id)", product: "com.example.\(id)", purchased: bought)
                _ = try client.post(transactions: [try bench.store.document(document)])
            }
            for number in 0..<7 { try buy(10 + number, day: Int64(number * 3 % 7)) }
            let path = "/v1/\(list)?\(Self.key)"
            let whole = try client.get(path + "&minPosition=7")
            #expect(whole["items"]?.items.count == 7)
            var pages: [JSONValue] = []
            var page = try client.get(path + "&limit=3&minPosition=7")
            var extra = 0
            while true {
                #expect(page.position == 7)
                pages += page["items"]?.items ?? []
                guard let next = page["next"]?.text else { break }
                // Before, between and behind what is listed.
                try buy(20 + extra, day: 10)
                try buy(30 + extra, day: 2)
                try buy(40 + extra, day: -0)
                extra += 1
                page = try client.get(path + "&limit=3&cursor=\(next)")
            }
            #expect(extra == 2)
            #expect(pages == whole["items"]?.items)
            let now = try client.get(path + "&minPosition=13")
            #expect(now["items"]?.items.count == 13)
        }
    }

    @Test func `the timeline tells each event in one line, the oldest first`() async throws {
        try await withDaemon { bench, client throws in
            let transaction = Sample.subscription("560001", purchased: Self.purchased)
            let renewal = Sample.renewal(transaction, signed: Self.purchased, autoRenews: false)
            let steps = [
                Sample.notification(transaction, renewal, type: "SUBSCRIBED", subtype: "INITIAL_BUY"),
                Sample.notification(
                    transaction.refunded(at: .testNow),
                    type: "REFUND"
                ),
                Sample.notification(type: "SOMETHING_NEW"),
            ]
            for step in steps { #expect(try client.notify(try bench.store.notification(step)).status == 200) }
            let answer = try client.get("/v1/timeline?\(Self.key)&minPosition=6")
            let ends = Self.purchased.adding(days: 30).rfc3339
            #expect(
                answer["items"]?.items.map { $0["summary"]?.text } == [
                    "The customer subscribed (SUBSCRIBED INITIAL_BUY).",
                    "It will not renew.", "Purchase of com.example.pro.monthly, until \(ends), 9.99 USD.",
                    "A purchase was refunded (REFUND).",
                    "Purchase of com.example.pro.monthly, taken back at \(Instant.testNow.rfc3339) (REFUND_FULL).",
                ]
            )
            let first = try #require(answer["items"]?[0])
            #expect(
                first.names == [
                    "position", "recordedAt", "signedDate", "kind", "source", "type", "subtype", "transactionId",
                    "originalTransactionId", "summary",
                ]
            )
            #expect(first["kind"]?.text == "notification" && first["type"]?.text == "SUBSCRIBED")
            #expect(answer["items"]?.items.map { $0["position"]?.integer } == [1, 2, 3, 4, 5])
        }
    }

    @Test(arguments: ["transactions", "timeline"])
    func `a list of nobody is empty, and a bad parameter is named`(_ list: String) async throws {
        try await withDaemon(DaemonSetup(environments: [.production])) { bench, client throws in
            let signed = try bench.store.document(Sample.transaction("560001", purchased: Self.purchased))
            _ = try client.post(transactions: [signed])
            let nobody = try client.get("/v1/\(list)?transactionId=77&minPosition=1")
            #expect(nobody["items"] == [] && nobody["next"]?.isNull == true && nobody.position == 1)
            for (rest, name) in [
                ("limit=0", "\"limit\""), ("limit=501", "\"limit\""), ("cursor=x", "\"cursor\""),
                ("cursor=", "\"cursor\""), ("cursor=MSAgLTE", "\"cursor\""), ("at=x", "\"at\""),
            ] {
                let answer = try client.get("/v1/\(list)?transactionId=560001&\(rest)")
                #expect(expectProblem(answer, 400, "malformed").contains(name), "\(rest)")
            }
            expectProblem(try client.get("/v1/\(list)"), 400, "malformed")
            let sandbox = try client.get("/v1/\(list)?transactionId=560001&environment=Sandbox")
            expectProblem(sandbox, 400, "environmentNotServed")
        }
    }
}

extension JSONValue {
    fileprivate var members: [String: JSONValue] { if case .object(let object) = self { object.members } else { [:] } }
}
