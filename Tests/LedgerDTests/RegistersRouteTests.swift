import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import LedgerD

/// `GET /v1/registers/…` and `POST /v1/replays` of a running daemon.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct RegistersRouteTests {
    private static let bought = Instant(milliseconds: 1_767_225_600_000)  // 2026-01-01
    private static let refundedOn = bought.adding(days: 40)  // 2026-02-10

    private static func coins(_ id: String, customer: String = Sample.customer, quantity: Int64 = 1) -> JSONValue {
        Sample.transaction(id, customer: customer, product: "com.example.coins.500", purchased: bought)
            .with(["type": "Consumable", "quantity": .integer(quantity)])
    }

    private static func notify(_ documents: [JSONValue], _ bench: DaemonBench, _ client: DaemonClient) throws -> Int64 {
        var position: Int64 = 0
        for document in documents {
            let answer = try client.notify(try bench.store.notification(Sample.notification(document, type: "REFUND")))
            position = try #require(answer.position, "\(answer.text)")
        }
        return position
    }

    private static func get(_ target: String, after position: Int64, _ client: DaemonClient) throws -> Answer {
        let answer = try client.get("\(target)&minPosition=\(position)&waitMs=20000")
        #expect(answer.status == 200, "\(answer.text)")
        return answer
    }

    @Test func `a refund and its reversal are entries with all members, and totals`() async throws {
        try await withDaemon { bench, client in
            let purchase = Self.coins("570011")
            let reversed = purchase.with(["signedDate": .instant(Self.refundedOn.adding(days: 3))])
            let last = try Self.notify(
                [
                    purchase, purchase.refunded(at: Self.refundedOn, type: "REFUND_PRORATED", percentage: 40_000),
                    reversed,
                ],
                bench,
                client
            )
            let answer = try Self.get("/v1/registers/refunds?appTransactionId=\(Sample.customer)", after: last, client)
            let items = answer["items"]?.items ?? []
            #expect(items.map { $0["entry"] } == ["refund", "reversal"])
            let refund = items[0]
            #expect(refund["amount"] == ["currency": "USD", "milliunits": 3996])
            #expect(refund["price"] == ["currency": "USD", "milliunits": 9990])
            #expect(refund["amountBasis"]?.text == "price×percentage")
            #expect(refund["revocationPercentage"]?.integer == 40_000 && refund["revocationType"] == "REFUND_PRORATED")
            #expect(refund["detectedBy"]?.text == "notification" && refund["fiscalPeriod"]?.text == "FY2026-05")
            #expect(refund["storefront"] == "USA" && refund["quantity"] == 1 && refund["reverses"] == .null)
            #expect(items[1]["amount"] == ["currency": "USD", "milliunits": -3996])
            #expect(items[1]["reverses"] == refund["position"])
            let totals = try #require(answer["totals"])
            #expect(
                totals["byCurrency"] == [["currency": "USD", "milliunits": 0, "refunds": 1, "reversals": 1]]
            )
            #expect(totals["refunds"] == 1 && totals["reversals"] == 1 && totals["unknownAmounts"] == 0)
            #expect(answer["next"] == .null && answer.position == last)
            // Only what was signed by then.
            let before = try Self.get(
                "/v1/registers/refunds?transactionId=570011&at=\(Self.refundedOn.adding(days: 1).milliseconds)",
                after: last,
                client
            )
            #expect(before["items"]?.items.count == 1)
        }
    }

    @Test func `a list comes in pages that fit together while more is recorded, as lines and as records`() async throws
    {
        try await withDaemon { bench, client in
            let refunds = (1...7).map { number in
                Self.coins("5800\(number)", customer: "70499881234567020\(number)")
                    .refunded(at: Self.refundedOn.adding(days: Int64(number % 3)))
            }
            let last = try Self.notify(refunds, bench, client)
            let window = "/v1/registers/refunds?from=2026-02-01T00:00:00Z&to=2026-03-01T00:00:00Z"
            var page = try Self.get("\(window)&limit=3", after: last, client)
            var ids = page["items"]?.items.compactMap { $0["transactionId"]?.text } ?? []
            _ = try Self.notify([Self.coins("58000").refunded(at: Self.refundedOn)], bench, client)
            while let next = page["next"]?.text {
                page = try Self.get("\(window)&limit=3&cursor=\(next)", after: last + 1, client)
                #expect(page.position == last)
                ids += page["items"]?.items.compactMap { $0["transactionId"]?.text } ?? []
            }
            #expect(ids == ["58003", "58006", "58001", "58004", "58007", "58002", "58005"])
            #expect(page["totals"]?["byCurrency"]?[0]?["milliunits"] == 69_930)
            let lines = try Self.get("\(window)&format=ndjson&knownAt=\(last)", after: last, client)
            #expect(lines.headers["content-type"] == "application/x-ndjson")
            #expect(lines.text.split(separator: "\n").count == 7)
            let records = try Self.get("\(window)&format=csv&knownAt=\(last)", after: last, client)
            let rows = records.text.split(separator: "\r\n")
            #expect(rows.count == 8 && rows[0].hasPrefix("entry,transactionId,") && rows[1].hasPrefix("refund,58003,"))
            #expect(rows[0].contains(",amountMilliunits,amountCurrency,") && rows[1].contains(",9990,USD,"))
            // Another month, or another basis, is another window.
            for query in ["period=FY2026-04", "basis=purchaseDate&from=2026-01-02T00:00:00Z"] {
                let none = try Self.get("/v1/registers/refunds?\(query)", after: last, client)
                #expect(none["items"] == [], "\(query)")
            }
            let filtered = try Self.get("\(window)&currency=EUR", after: last, client)
            #expect(filtered["items"] == [] && filtered["totals"]?["refunds"] == 0)
        }
    }

    @Test func `what is no refund is a revocation with its class, and units are taken back`() async throws {
        try await withDaemon { bench, client in
            let shared = Sample.subscription("560021", purchased: Self.bought).with([
                "inAppOwnershipType": "FAMILY_SHARED"
            ])
            let last = try Self.notify(
                [
                    shared.refunded(at: Self.refundedOn, type: "FAMILY_REVOKE"), Self.coins("570031", quantity: 5),
                    Self.coins("570031", quantity: 5)
                        .refunded(at: Self.refundedOn, type: "REFUND_PRORATED", percentage: 50_000),
                ],
                bench,
                client
            )
            let key = "appTransactionId=\(Sample.customer)"
            let revocations = try Self.get("/v1/registers/revocations?\(key)", after: last, client)
            let revocation = try #require(revocations["items"]?[0])
            #expect(revocations["items"]?.items.count == 1 && revocation["revocationClass"] == "family")
            #expect(!revocation.names.contains("amount") && revocations["totals"]?["revocations"] == ["family": 1])
            let clawbacks = try Self.get("/v1/registers/clawbacks?\(key)", after: last, client)
            let row = try #require(clawbacks["items"]?[0])
            #expect(clawbacks["items"]?.items.count == 1 && row["unit"] == "com.example.coins.500")
            #expect(row["granted"] == 5 && row["toRecover"] == 2 && row["owed"] == 0 && row["rounding"] == "down")
            #expect(clawbacks["totals"]?["byUnit"]?[0]?["toRecover"] == 2)
            let purchases = try Self.get("/v1/registers/purchases?\(key)", after: last, client)
            #expect(purchases["items"]?.items.map { $0["transactionId"] } == ["570031"])
            #expect(
                purchases["totals"]?["byCurrency"] == [["currency": "USD", "milliunits": 9990, "purchases": 1]]
            )
        }
    }

    @Test func `a replay tells the difference by cause, to the milliunit`() async throws {
        try await withDaemon { bench, client in
            // A refund that is known; then an older one of the same purchase, and one of another, are heard of.
            let purchase = Self.coins("570041")
            let before = try Self.notify([purchase.refunded(at: Self.refundedOn.adding(days: 5))], bench, client)
            let after = try Self.notify(
                [
                    purchase.refunded(at: Self.refundedOn, type: "REFUND_PRORATED", percentage: 40_000),
                    Self.coins("570042").refunded(at: Self.refundedOn.adding(days: 1)),
                ],
                bench,
                client
            )
            _ = try Self.get("/v1/registers/refunds?period=FY2026-05", after: after, client)
            let body = #"{"register":"refunds","period":"FY2026-05","knownAt":[\#(before),null]}"#
            let replay = try client.send("POST", "/v1/replays", body: body)
            #expect(replay.status == 200, "\(replay.text)")
            #expect(replay["knownAt"] == [.integer(before), .integer(after)])
            let totals = replay["totals"]?.items.map { $0["byCurrency"]?[0]?["milliunits"]?.integer }
            #expect(totals == [9990, 19_980])
            #expect(replay["difference"]?["byCurrency"]?[0]?["milliunits"] == 9990)
            let entries = replay["entries"]?.items ?? []
            let sum = entries.reduce(Int64(0)) { sum, entry in
                let amount = entry["amount"]?["milliunits"]?.integer ?? 0
                return sum + (entry["change"] == "added" ? amount : -amount)
            }
            #expect(sum == 9990)
            let told = entries.map { "\($0["change"]?.text ?? "") \($0["cause"]?.text ?? "")" }
            #expect(told == ["removed restated", "added discovered", "added discovered", "added restated"])
            let parts = replay["causes"]?.items.map { $0["difference"]?["byCurrency"]?[0]?["milliunits"]?.integer ?? 0 }
            #expect(parts?.reduce(0, +) == 9990)
        }
    }

    @Test func `readyz tells whether refunds and the rest are all revocations`() async throws {
        try await withBench { bench in
            let client = try bench.start().client()
            let shared = Sample.subscription("560061", purchased: Self.bought)
                .with(["inAppOwnershipType": "FAMILY_SHARED"])
            let last = try Self.notify(
                [
                    shared.refunded(at: Self.refundedOn, type: "FAMILY_REVOKE"),
                    Self.coins("570061").refunded(at: Self.refundedOn),
                    Self.coins("570062").refunded(at: Self.refundedOn),
                    Self.coins("570062").with(["signedDate": .instant(Self.refundedOn.adding(days: 1))]),
                ],
                bench,
                client
            )
            _ = try Self.get("/v1/registers/refunds?period=FY2026-05", after: last, client)
            // A daemon looks when it starts, and every few seconds.
            let ready = try bench.start().client().get("/readyz")
            let balance: JSONValue = [
                "environment": "Production", "revoked": 2, "refunded": 1, "withoutRefund": 1, "balanced": true,
            ]
            #expect(ready.status == 200 && ready["revocations"] == [balance], "\(ready.text)")
            let owner = try bench.database.connect()
            defer { owner.close() }
            try owner.execute("UPDATE projection.revocation_counts SET refunded = refunded + 1")
            let uneven = try bench.start().client().get("/readyz")
            #expect(uneven.status == 200 && uneven["revocations"]?[0]?["balanced"] == false, "\(uneven.text)")
        }
    }

    @Test(arguments: [
        ("/v1/registers/refunds?basis=luck", "basis"), ("/v1/registers/refunds?from=soon", "from"),
        ("/v1/registers/refunds?from=5&to=4", "from"), ("/v1/registers/refunds?period=FY2026-13", "fiscal period"),
        ("/v1/registers/refunds?period=FY2026-03&from=4", "period"), ("/v1/registers/refunds?format=xml", "format"),
        ("/v1/registers/refunds?limit=0", "limit"), ("/v1/registers/refunds?cursor=abc", "cursor"),
        ("/v1/registers/refunds?currency=", "currency"),
        ("/v1/registers/purchases?basis=revocationDate", "purchaseDate, recordedAt"),
        ("/v1/registers/refunds?transactionId=1&appTransactionId=2", "key"),
    ])
    func `what cannot be asked is refused by name`(_ target: String, _ name: String) async throws {
        try await withDaemon { _, client in
            let answer = try client.get(target)
            #expect(expectProblem(answer, 400, "malformed").contains(name))
        }
    }

    @Test(arguments: [
        ("[]", "object"), (#"{"knownAt":[1]}"#, "knownAt"), (#"{"knownAt":[null,1]}"#, "knownAt"),
        (#"{"register":"purchases","knownAt":[0,1]}"#, "register"), (#"{"from":true,"knownAt":[0,1]}"#, "from"),
        (#"{"transactionId":"1","appTransactionId":"2","knownAt":[0,1]}"#, "key"),
    ])
    func `a replay that cannot be made is refused by name`(_ body: String, _ name: String) async throws {
        try await withDaemon { _, client in
            let answer = try client.send("POST", "/v1/replays", body: body)
            #expect(expectProblem(answer, 400, "malformed").contains(name))
        }
    }

    @Test func `a position that does not come ends the wait with 409`() async throws {
        try await withDaemon { _, client in
            let answer = try client.get("/v1/registers/refunds?minPosition=1000&waitMs=100")
            expectProblem(answer, 409, "notYetProjected", retryable: true)
        }
    }

    @Test func `the command prints the register as a table with sub-totals, as records and as lines`() async throws {
        try await withDaemon { bench, client in
            let last = try Self.notify([Self.coins("570051").refunded(at: Self.refundedOn)], bench, client)
            _ = try Self.get("/v1/registers/refunds?transactionId=570051", after: last, client)
            let file = try CommandLineTests.configure(bench)
            func run(_ options: [String]) throws -> String {
                let ended = try CommandLineTests.run(["refunds", "--config", file, "--period", "FY2026-05"] + options)
                #expect(ended.status == 0, "\(ended.errors)")
                return ended.output
            }
            let table = try run([])
            #expect(table.contains("570051") && table.contains("9.990  USD"), "\(table)")
            #expect(table.contains("1 refunds, 0 reversals") && table.contains("As known at position \(last)."))
            #expect(try run(["--format", "csv"]).hasPrefix("entry,transactionId,"))
            #expect(try run(["--format", "ndjson"]).hasPrefix(#"{"entry":"refund","transactionId":"570051""#))
            #expect(try run(["--format", "ndjson", "--known-at", "0"]).isEmpty)
        }
    }
}
