import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import LedgerD

/// `GET /v1/entitlements`: keys, parameters and the shape of the answer.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct EntitlementsRouteTests {
    static let token = "9f4c6b1e-02aa-4d7f-8e3c-5b6d7a8c9e0f"
    static let purchased = Instant.testNow.adding(days: -1)

    /// One subscription with a renewal info, of a customer with a token.
    static func subscribe(_ bench: DaemonBench, _ client: DaemonClient) throws {
        let transaction = Sample.subscription("560001", purchased: purchased).with(["appAccountToken": .string(token)])
        let renewal = Sample.renewal(transaction, signed: purchased.adding(milliseconds: 2000))
        let body = Sample.notification(transaction, renewal, type: "SUBSCRIBED").with([:])
        let withStatus = body.with(["data": body["data"]?.with(["status": 1])])
        #expect(try client.notify(try bench.store.notification(withStatus)).position == 3)
    }

    @Test(arguments: [
        ("appTransactionId", Sample.customer), ("originalTransactionId", "560001"), ("transactionId", "560001"),
        ("appAccountToken", token), ("appAccountToken", token.uppercased()),
    ])
    func `each key finds its lines, and the answer has the members of the contract`(_ key: String, _ value: String)
        async throws
    {
        try await withDaemon { bench, client throws in
            try Self.subscribe(bench, client)
            // The live tables, then the fold over the past.
            for at in ["", "&at=\(Instant.testNow.milliseconds - 1)"] {
                let set = try client.entitlements("\(key)=\(value)&minPosition=3\(at)")
                #expect(set.status == 200)
                #expect(set.headers["content-type"] == "application/json")
                #expect(
                    set.json.names == [
                        "environment", "key", "at", "knownAt", "position", "entitlements", "subscriptions", "balances",
                        "consentRescinded", "nextChangeAt",
                    ]
                )
                #expect(set["key"] == [key: .string(key == "appAccountToken" ? Self.token : value)].json)
                #expect(set["environment"]?.text == "Production")
                #expect(set["knownAt"]?.isNull == true)
                #expect(set.position == 3)
                let ends = Self.purchased.adding(days: 30).rfc3339
                #expect(set["nextChangeAt"]?.text == ends)
                #expect(
                    set["entitlements"] == [
                        [
                            "entitlement": "com.example.pro.monthly", "productId": "com.example.pro.monthly",
                            "type": "Auto-Renewable Subscription", "state": "active", "transactionId": "560001",
                            "originalTransactionId": "560001", "appTransactionId": .string(Sample.customer),
                            "appAccountToken": .string(Self.token), "bundleId": .string(Sample.bundleID),
                            "inAppOwnershipType": "PURCHASED", "purchaseDate": .string(Self.purchased.rfc3339),
                            "accessUntil": .string(ends), "level": .null, "effective": true,
                        ]
                    ]
                )
                let subscription = set["subscriptions"]?[0] ?? .null
                #expect(
                    subscription.names == [
                        "originalTransactionId", "subscriptionGroupIdentifier", "productId", "transactionId", "status",
                        "state", "expiresDate", "gracePeriodExpiresDate", "expirationIntent", "autoRenewStatus",
                        "autoRenewProductId", "priceIncreaseStatus", "isInBillingRetryPeriod", "inAppOwnershipType",
                        "revocation", "appleStatus",
                    ]
                )
                #expect(subscription["status"]?.integer == 1 && subscription["state"]?.text == "active")
                #expect(subscription["appleStatus"]?["agrees"]?.boolean == true)
            }
        }
    }

    @Test(arguments: ["appTransactionId", "originalTransactionId", "transactionId", "appAccountToken"])
    func `a key that was never seen has empty lists`(_ key: String) async throws {
        try await withDaemon { bench, client throws in
            try Self.subscribe(bench, client)
            for at in ["", "&at=2020-01-01T00:00:00Z", "&knownAt=2"] {
                let set = try client.entitlements("\(key)=77\(at)&minPosition=\(at.hasPrefix("&k") ? 0 : 3)")
                #expect(set.status == 200)
                for list in ["entitlements", "subscriptions", "balances"] { #expect(set[list] == []) }
                #expect(set["consentRescinded"]?.boolean == false)
                #expect(set["nextChangeAt"]?.isNull == true)
            }
        }
    }

    @Test(arguments: [
        ("", "Exactly one key"), ("environment=Production", "Exactly one key"),
        ("appTransactionId=1&originalTransactionId=2", "Exactly one key"),
        ("transactionId=1&transactionId=1", "Exactly one key"), ("appTransactionId=", "\"appTransactionId\" is empty"),
        ("transactionId=1&at=yesterday", "\"at\""), ("transactionId=1&at=", "\"at\""),
        ("transactionId=1&at=1.5", "\"at\""), ("transactionId=1&knownAt=x", "\"knownAt\""),
        ("transactionId=1&minPosition=-1", "\"minPosition\""), ("transactionId=1&minPosition=x", "\"minPosition\""),
        ("transactionId=1&waitMs=20001", "\"waitMs\""), ("transactionId=1&waitMs=soon", "\"waitMs\""),
    ])
    func `a question that is not one is malformed, and the answer names the parameter`(
        _ query: String,
        _ sentence: String
    ) async throws {
        try await withDaemon { _, client throws in
            let detail = expectProblem(try client.entitlements(query), 400, "malformed")
            #expect(detail.contains(sentence), "\(detail)")
        }
    }

    @Test(arguments: [
        ([StoreEnvironment.sandbox], "", false), ([.sandbox], "Production", false), ([.sandbox], "Sandbox", true),
        ([.production], "", true), ([.production], "Sandbox", false), ([.production, .sandbox], "Xcode", false),
        ([.production, .sandbox], "sandbox", false), ([.production, .sandbox], "Sandbox", true),
    ])
    func `only environments that are served can be asked about, and Production is the default`(
        _ served: [StoreEnvironment],
        _ asked: String,
        _ isServed: Bool
    ) async throws {
        try await withDaemon(DaemonSetup(environments: Set(served))) { _, client throws in
            let answer = try client.entitlements("transactionId=1" + (asked.isEmpty ? "" : "&environment=\(asked)"))
            if isServed {
                #expect(answer.status == 200)
                #expect(answer["environment"]?.text == (asked.isEmpty ? "Production" : asked))
            } else {
                expectProblem(answer, 400, "environmentNotServed")
            }
        }
    }

    @Test func `the same identifiers in Sandbox and Production are different customers`() async throws {
        try await withDaemon { bench, client throws in
            for (environment, product) in [("Production", "com.example.real"), ("Sandbox", "com.example.play")] {
                let transaction = Sample.transaction("560001", product: product, purchased: Self.purchased).with([
                    "environment": .string(environment), "appAccountToken": .string(Self.token),
                ])
                let coins = Sample.transaction("560002", product: product + ".coins", purchased: Self.purchased).with([
                    "environment": .string(environment), "type": "Consumable",
                ])
                for document in [transaction, coins] {
                    let answer = try client.post(transactions: [try bench.store.document(document)])
                    #expect(answer["results"]?[0]?["outcome"]?.text == "recorded")
                    #expect(answer["entitlements"]?["environment"]?.text == environment)
                }
            }
            let keys = [
                "appTransactionId=\(Sample.customer)", "originalTransactionId=560001", "transactionId=560001",
                "appAccountToken=\(Self.token)",
            ]
            for key in keys {
                for at in ["", "&at=\(Instant.testNow.milliseconds - 1)", "&knownAt=4"] {
                    let real = try client.entitlements("\(key)&environment=Production&minPosition=4\(at)")
                    #expect(real["entitlements"]?.items.map { $0["productId"]?.text } == ["com.example.real"])
                    let play = try client.entitlements("\(key)&environment=Sandbox&minPosition=4\(at)")
                    #expect(play["entitlements"]?.items.map { $0["productId"]?.text } == ["com.example.play"])
                }
            }
            let balances = try client.entitlements("appTransactionId=\(Sample.customer)&environment=Sandbox")[
                "balances"
            ]
            #expect(balances?.items.map { $0["unit"]?.text } == ["com.example.play.coins"])
        }
    }

    @Test func `a catalog names entitlements and units`() async throws {
        var setup = DaemonSetup()
        setup.catalog = [
            "products": [
                "com.example.pro.monthly": ["entitlement": "pro", "level": 2],
                "com.example.lifetime": ["entitlement": "pro", "level": 1],
                "com.example.season": ["entitlement": "season", "duration": "P3M"],
                "com.example.coins.500": ["unit": "coins", "units": 500, "rounding": "down"],
            ]
        ]
        try await withDaemon(setup) { bench, client throws in
            let season = Sample.transaction("560003", product: "com.example.season", purchased: Self.purchased)
                .with(["type": "Non-Renewing Subscription"])
            let coins = Sample.transaction("560004", product: "com.example.coins.500", purchased: Self.purchased)
                .with(["type": "Consumable"]).refunded(at: .testNow, type: "REFUND_PRORATED", percentage: 40_000)
            let answer = try client.post(
                transactions: try [
                    Sample.subscription("560001", purchased: Self.purchased),
                    Sample.transaction("560002", purchased: Self.purchased), season, coins,
                ].map { try bench.store.document($0) }
            )
            let set = answer["entitlements"]
            #expect(set?["entitlements"]?.items.map { $0["entitlement"]?.text } == ["pro", "pro", "season"])
            #expect(set?["entitlements"]?.items.map { $0["effective"]?.boolean } == [false, true, true])
            #expect(set?["entitlements"]?[2]?["accessUntil"]?.text == "2026-08-31T12:00:00.000Z")
            #expect(
                set?["balances"] == [
                    ["unit": "coins", "granted": 500, "clawedBack": 200, "used": 0, "net": 300, "owed": 0]
                ]
            )
        }
    }

    @Test func `a read waits for its position, and says so when it has waited long enough`() async throws {
        try await withBench { bench throws in
            let daemon = try bench.start()
            let client = try daemon.client()
            try Self.subscribe(bench, client)
            let signed = try bench.store.notification(
                Sample.notification(Sample.transaction("560009", purchased: Self.purchased))
            )
            // The live tables, and both kinds of question about the past.
            let past = Instant.testNow.milliseconds - 1
            let questions = ["minPosition=5", "minPosition=5&at=\(past)", "knownAt=5"]
            #expect(try client.entitlements("transactionId=560009&minPosition=3").status == 200)
            let waiting = try questions.map { _ in try daemon.client() }
            try bench.database.holdingProjection {
                #expect(try client.notify(signed).position == 5)
                for question in questions {
                    let early = try client.entitlements("transactionId=560009&\(question)&waitMs=20")
                    expectProblem(early, 409, "notYetProjected", retryable: true)
                }
                // What does not ask for the position is answered as of the projection.
                for question in ["", "&at=\(past)"] {
                    let now = try client.entitlements("appTransactionId=\(Sample.customer)" + question)
                    #expect(now.position == 3)
                    #expect(now["entitlements"]?.items.count == 1)
                }
                for (client, question) in zip(waiting, questions) {
                    client.begin("GET", "/v1/entitlements?appTransactionId=\(Sample.customer)&\(question)&waitMs=20000")
                }
                // Asked behind them, answered before them.
                #expect(try client.get("/healthz").status == 200)
            }
            for client in waiting {
                let answer = try client.finish()
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.position == 5)
                #expect(answer["entitlements"]?.items.count == 2)
            }
        }
    }

    @Test func `posted documents are acknowledged when their entitlements cannot be shown in time`() async throws {
        try await withDaemon { bench, client throws in
            // The daemon's sessions are open afterwards.
            #expect(try client.entitlements("transactionId=1").status == 200)
            try bench.database.holdingProjection {
                let signed = try bench.store.document(Sample.transaction("560001", purchased: Self.purchased))
                let answer = try client.post(transactions: [signed])
                #expect(answer.status == 200)
                #expect(answer["results"]?[0]?["safeToFinish"]?.boolean == true)
                #expect(answer["entitlements"]?.isNull == true)
            }
        }
    }

    @Test func `HEAD is answered like GET, without the body`() async throws {
        try await withDaemon { bench, client throws in
            try Self.subscribe(bench, client)
            let answer = try client.send("HEAD", "/v1/entitlements?transactionId=560001&minPosition=3")
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
        }
    }
}

extension [String: JSONValue] {
    fileprivate var json: JSONValue {
        reduce(JSONValue.null.with([:])) { $0.replacing($1.key, $1.value) }
    }
}

extension TestDatabase {
    private static let holdCursor = Statement(
        name: "test_hold_cursor",
        sql: "SELECT position FROM projection.cursors WHERE name = 'facts' FOR UPDATE"
    )

    /// Runs the body while no follower can fold.
    func holdingProjection(_ body: () throws -> Void) throws {
        let connection = try connect()
        defer { connection.close() }
        var failure: (any Error)?
        try connection.transaction { tx throws(PostgresError) in
            try tx.query(Self.holdCursor)
            do { try body() } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
