import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// `POST /v1/usage` of a running daemon, and what follows from it.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct UsageRouteTests {
    private static let bought = Instant.testNow.adding(days: -40)
    private static let token = "0AA7A1F0-6D4E-4BD5-9A53-000000000001"

    private static var setup: DaemonSetup {
        var setup = DaemonSetup()
        setup.catalog = ["products": ["com.example.coins.500": ["unit": "coins", "units": 500]]]
        return setup
    }

    /// A purchase of 500 coins, so many days after the first one.
    private static func coins(_ id: String, day: Int64 = 0, customer: String = Sample.customer) -> JSONValue {
        let purchased = bought.adding(days: day)
        return Sample.transaction(id, customer: customer, product: "com.example.coins.500", purchased: purchased)
            .with(["type": "Consumable", "appAccountToken": .string(token)])
    }

    private static func post(_ documents: [JSONValue], _ bench: DaemonBench, _ client: DaemonClient) throws -> Int64 {
        let answer = try client.post(transactions: documents.map { try bench.store.document($0) })
        return try #require(answer["results"]?.items.compactMap { $0["position"]?.integer }.max(), "\(answer.text)")
    }

    /// Reports units as used on the day of the first purchase.
    private static func report(
        _ client: DaemonClient,
        _ key: String,
        _ amount: Int64,
        _ members: KeyValuePairs<String, JSONValue?> = ["appTransactionId": .string(Sample.customer), "unit": "coins"]
    ) throws -> Answer {
        let body = JSONValue.null.with([
            "idempotencyKey": .string(key), "amount": .integer(amount), "usedAt": .string(bought.description),
        ]).with(members)
        return try client.send("POST", "/v1/usage", body: String(decoding: body.bytes, as: UTF8.self))
    }

    /// Granted, clawed back, used, net and owed coins.
    private static func balance(_ set: JSONValue?) -> [Int64?] {
        let balance = set?["balances"]?[0]
        return ["granted", "clawedBack", "used", "net", "owed"].map { balance?[$0]?.integer }
    }

    @Test func `a report is recorded once; repeated it answers as the first, and changed it is refused`() async throws {
        try await withDaemon(Self.setup) { _, client in
            let first = try Self.report(client, "a", 3)
            #expect(first.status == 200 && first["outcome"] == "recorded" && first.position != nil)
            let again = try Self.report(client, "a", 3)
            #expect(again.status == 200 && again["outcome"] == "duplicate" && again.position == first.position)
            let other = try Self.report(client, "a", 4)
            let detail = expectProblem(other, 409, "idempotencyKeyReused")
            #expect(detail.contains("position \(first.position ?? 0)"))
            let sandbox = try Self.report(
                client,
                "a",
                4,
                ["environment": "Sandbox", "appTransactionId": "1", "unit": "coins"]
            )
            #expect(sandbox["outcome"] == "recorded" && sandbox.position == first.position.map { $0 + 1 })
        }
    }

    @Test func `a report is in every answer that states its position, also where answers are kept`() async throws {
        try await withDaemon(Self.setup) { bench, client in
            for round in 1...8 {
                let (id, customer) = ("58100\(round)", "70510\(round)")
                let token = "0aa7a1f0-6d4e-4bd5-9a53-00000000010\(round)"
                let holders: [KeyValuePairs<String, JSONValue?>] = [
                    ["transactionId": .string(id)], ["originalTransactionId": .string(id), "unit": "coins"],
                    ["appTransactionId": .string(customer), "unit": "coins"],
                    ["appAccountToken": .string(token), "unit": "coins"],
                ]
                let keys = [
                    "transactionId=\(id)", "originalTransactionId=\(id)", "appTransactionId=\(customer)",
                    "appAccountToken=\(token)",
                ]
                let bought = try Self.post(
                    [Self.coins(id, customer: customer).with(["appAccountToken": .string(token)])],
                    bench,
                    client
                )
                for key in keys {
                    // Asked for twice, it is kept.
                    for _ in 1...2 {
                        let set = try client.entitlements("\(key)&minPosition=\(bought)&waitMs=20000").json
                        #expect(Self.balance(set) == [500, 0, 0, 500, 0], "round \(round), \(key)")
                    }
                }
                let report = try Self.report(client, "round \(round)", 30, holders[round % holders.count])
                let position = try #require(report.position, "\(report.text)")
                try wait {
                    let answers = try keys.map { try client.entitlements($0) }
                    let reached = try answers.filter { try #require($0.position) >= position }
                    for answer in reached {
                        #expect(Self.balance(answer.json) == [500, 0, 30, 470, 0], "round \(round): \(answer.text)")
                    }
                    return reached.count == answers.count
                }
            }
        }
    }

    @Test func `what was used is in every answer, whichever key it is asked by`() async throws {
        try await withDaemon(Self.setup) { bench, client in
            // Two purchases; the first one is refunded after 400 of 500 coins were used.
            _ = try Self.post([Self.coins("580001"), Self.coins("580002", day: 5)], bench, client)
            #expect(try Self.report(client, "a", 400, ["transactionId": "580001"]).status == 200)
            #expect(try Self.report(client, "b", 60).status == 200)
            #expect(
                try Self.report(client, "c", 40, ["appAccountToken": .string(Self.token), "unit": "coins"]).status
                    == 200
            )
            let last = try Self.post([Self.coins("580001").refunded(at: Self.bought.adding(days: 10))], bench, client)
            let reached = "&minPosition=\(last)&waitMs=20000"
            let whole: [Int64?] = [1000, 500, 500, 400, 400]
            for key in ["appTransactionId=\(Sample.customer)", "appAccountToken=\(Self.token)"] {
                #expect(Self.balance(try client.entitlements(key + reached).json) == whole, "\(key)")
                // The same from the log.
                let known = try client.entitlements("\(key)&knownAt=\(last)&waitMs=20000").json
                #expect(Self.balance(known) == whole, "\(key)")
            }
            let refunded = try client.entitlements("transactionId=580001" + reached).json
            #expect(Self.balance(refunded) == [500, 500, 400, 0, 400])
            let other = try client.entitlements("originalTransactionId=580002" + reached).json
            #expect(Self.balance(other) == [500, 0, 100, 400, 0])
            // Before the refund, and before anything was used.
            let before = "appTransactionId=\(Sample.customer)&at=\(Self.bought.adding(days: 9).milliseconds)" + reached
            #expect(Self.balance(try client.entitlements(before).json) == [1000, 0, 500, 500, 0])
            let keys = #"[{"transactionId":"580001"},{"appTransactionId":"\#(Sample.customer)"}]"#
            let body = #"{"keys":\#(keys),"minPosition":\#(last)}"#
            let batch = try client.send("POST", "/v1/entitlements:batch", body: body)
            #expect(batch["items"]?.items.map { Self.balance($0["set"]) } == [[500, 500, 400, 0, 400], whole])
            let explained = try client.get("/v1/entitlements:explain?transactionId=580001" + reached)
            let rules = explained["products"]?[0]?["rules"]?.items.compactMap { $0["rule"]?.text }
            #expect(rules == ["unitsGranted", "unitsTakenBack", "unitsUsed", "unitsOwed"])
        }
    }

    @Test func `clawbacks recover what is left, owe the rest, and a reversal gives back what was taken`() async throws {
        try await withDaemon(Self.setup) { bench, client in
            let purchase = Self.coins("580011")
            _ = try Self.report(client, "a", 350)
            let last = try Self.post(
                [
                    purchase,
                    purchase.refunded(at: Self.bought.adding(days: 1), type: "REFUND_PRORATED", percentage: 40_000),
                    purchase.refunded(at: Self.bought.adding(days: 2)),
                    purchase.with(["signedDate": .instant(Self.bought.adding(days: 3))]),
                ],
                bench,
                client
            )
            func rows(_ query: String) throws -> [[Int64?]] {
                let answer = try client.get("/v1/registers/clawbacks?\(query)&minPosition=\(last)&waitMs=20000")
                return (answer["items"]?.items ?? []).map { row in
                    ["toRecover", "recovered", "owed"].map { row[$0]?.integer }
                }
            }
            let key = "transactionId=580011"
            #expect(try rows(key) == [[200, 150, 50], [300, 0, 300], [-500, -150, -350]])
            let set = try client.entitlements("\(key)&minPosition=\(last)")
            #expect(Self.balance(set.json) == [500, 0, 350, 150, 0])
        }
    }

    @Test func `a catalog is in force for the entries of its time`() async throws {
        try await withBench(Self.setup) { bench throws in
            let daemon = try bench.start()
            let client = try daemon.client()
            try wait { try client.get("/readyz").status == 200 }
            func version(_ count: Int) throws -> LedgerEvent {
                var found: [LedgerEvent] = []
                try wait {
                    found = try LedgerState(bench.database).events(of: .catalog)
                    return found.count >= count
                }
                return try #require(found.last)
            }
            let first = try version(1)
            let later: JSONValue = ["products": ["com.example.coins.500": ["unit": "coins", "units": 800]]]
            _ = try bench.write("catalog.json", later.bytes)
            daemon.reloadCatalog()
            let second = try version(2)
            bench.clock.now = second.recordedAt.adding(days: 1)
            // One refund in the time of each version; the first version holds for what was before it, too.
            let refunds = [
                Self.coins("580021").refunded(at: first.recordedAt.adding(days: -1)),
                Self.coins("580022").refunded(at: second.recordedAt),
            ]
            let last = try Self.post(refunds, bench, client)
            let answer = try client.get(
                "/v1/registers/clawbacks?appTransactionId=\(Sample.customer)&minPosition=\(last)&waitMs=20000"
            )
            let rows = answer["items"]?.items ?? []
            #expect(rows.map { $0["transactionId"]?.text } == ["580021", "580022"], "\(answer.text)")
            #expect(rows.map { $0["granted"]?.integer } == [500, 800])
            #expect(answer["totals"]?["byUnit"]?[0]?["toRecover"] == 1300)
        }
    }

    @Test func `reports are in the feed and on the timeline`() async throws {
        try await withDaemon(Self.setup) { bench, client in
            _ = try Self.post([Self.coins("580031")], bench, client)
            let named = try Self.report(client, "a", 7, ["transactionId": "580031"])
            let last = try #require(
                try Self.report(client, "b", 9, ["appAccountToken": .string(Self.token), "unit": "coins"]).position
            )
            let feed = try client.get("/v1/events?kind=usage")
            #expect(feed["items"]?.items.map { $0["position"]?.integer } == [named.position, last])
            #expect(feed["items"]?[0]?["transactionId"] == "580031" && feed["items"]?[0]?["source"] == "operator")
            let event = try client.get("/v1/events/\(last)")
            #expect(event["payload"]?["amount"] == 9 && event["jws"] == .null)
            let timeline = try client.get(
                "/v1/timeline?appTransactionId=\(Sample.customer)&minPosition=\(last)&waitMs=20000"
            )
            let summaries = timeline["items"]?.items.filter { $0["kind"] == "usage" }.compactMap { $0["summary"]?.text }
            #expect(summaries == ["7 units of transaction 580031 were used.", "9 coins were used."])
        }
    }

    @Test(
        arguments: [
            ("[]", "The body must be a JSON object."),
            (#"{"amount":1,"unit":"c","appTransactionId":"7"}"#, "The member \"idempotencyKey\" is missing."),
            (#"{"idempotencyKey":"a","unit":"c","appTransactionId":"7"}"#, "The member \"amount\" is missing."),
            (
                #"{"idempotencyKey":"a","unit":"c","amount":1}"#,
                "A usage needs one of the members appTransactionId, originalTransactionId, appAccountToken, transactionId."
            ),
            (
                #"{"idempotencyKey":"a","amount":1,"unit":"c","appTransactionId":"7","transactionId":"8"}"#,
                "Only one key can be named: appTransactionId, originalTransactionId, appAccountToken, transactionId."
            ),
            (
                #"{"idempotencyKey":"a","amount":1,"appTransactionId":"7"}"#,
                "A usage needs a \"unit\" unless it names one transaction by its \"transactionId\"."
            ),
            (
                #"{"idempotencyKey":"a","amount":1,"unit":"c","appAccountToken":"7"}"#,
                "The member \"appAccountToken\" must be a UUID."
            ),
            (
                #"{"idempotencyKey":"a","amount":0,"unit":"c","appTransactionId":"7"}"#,
                "A usage of 0 units cannot be: \"amount\" is a whole number from 1 to 1000000000000."
            ),
            (
                #"{"idempotencyKey":"a","amount":-5,"unit":"c","appTransactionId":"7"}"#,
                "A usage of -5 units cannot be: \"amount\" is a whole number from 1 to 1000000000000."
            ),
            (
                #"{"idempotencyKey":"a","amount":1.5,"unit":"c","appTransactionId":"7"}"#,
                "\"amount\" must be a whole number."
            ),
            (
                #"{"idempotencyKey":"a","amount":99999999999999999999,"unit":"c","appTransactionId":"7"}"#,
                "\"amount\" must be a whole number."
            ),
            (
                #"{"idempotencyKey":"a","amount":1,"unit":"c","appTransactionId":"7","used":1}"#,
                "The body has a member \"used\", which is not known here."
            ),
            (
                #"{"idempotencyKey":"a","amount":1,"amount":2,"unit":"c","appTransactionId":"7"}"#,
                "The member \"amount\" comes more than once."
            ),
            (
                #"{"idempotencyKey":"a","amount":1,"unit":"c","appTransactionId":"7","usedAt":"yesterday"}"#,
                "\"usedAt\" must be an RFC 3339 time or integer milliseconds since 1970."
            ),
            (
                #"{"idempotencyKey":"a\u0000","amount":1,"unit":"c","appTransactionId":"7"}"#,
                "\"idempotencyKey\" must be a text without U+0000."
            ),
        ]
    )
    func `what cannot be read is refused with a sentence, and nothing is recorded`(
        _ body: String,
        _ sentence: String
    ) async throws {
        try await withDaemon { bench, client throws in
            #expect(expectProblem(try client.send("POST", "/v1/usage", body: body), 400, "malformed") == sentence)
            #expect(try LedgerState(bench.database).isEmpty)
        }
    }

    @Test func `texts have limits, and only environments that are served are taken`() async throws {
        try await withDaemon(DaemonSetup(environments: [.production])) { _, client in
            let long = String(repeating: "x", count: 513)
            for answer in [
                try Self.report(client, long, 1),
                try Self.report(client, "a", 1, ["appTransactionId": "7", "unit": .string(long)]),
                try Self.report(client, "a", 1, ["appTransactionId": .string(long), "unit": "coins"]),
            ] { #expect(expectProblem(answer, 400, "malformed").contains("1 to 512 bytes")) }
            let sandbox = try Self.report(
                client,
                "a",
                1,
                ["environment": "Sandbox", "appTransactionId": "7", "unit": "coins"]
            )
            expectProblem(sandbox, 400, "environmentNotServed")
        }
    }
}
