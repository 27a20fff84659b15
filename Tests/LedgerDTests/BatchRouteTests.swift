import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// `POST /v1/entitlements:batch`: the answers of single reads, many at a time and at one position.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct BatchRouteTests {
    @Test(arguments: 0..<4 as Range<UInt64>)
    func `a batch answers each key as a single read at its position does`(_ number: UInt64) async throws {
        let seed = 0x1ED6_E400 + number
        try await withDaemon { bench, client throws in
            var random = SeededGenerator(seed: seed)
            let story = RandomStory(&random)
            bench.clock.now = RandomStory.start.adding(days: 120)
            var position: Int64 = 0
            for document in story.documents {
                position = max(position, try client.notify(try bench.store.notification(document)).position ?? 0)
            }
            var keys = story.keys + ["transactionId=560010", "transactionId=77", "appTransactionId=77"]
            keys += keys.prefix(3)
            keys.shuffle(using: &random)
            // The live tables, the future, and both clocks of the past.
            let now = bench.clock.now
            for rest in [
                "", "at=\(now.adding(days: 20).milliseconds)", "at=\(now.adding(days: -60).milliseconds)",
                "knownAt=\(position / 2)",
            ] {
                let batch = try client.batch(keys.map(Self.key), rest.members, minPosition: position)
                #expect(batch.status == 200, "\(batch.text)")
                #expect(batch["errors"] == [])
                #expect(batch["items"]?.items.count == keys.count)
                for (key, item) in zip(keys, batch["items"]?.items ?? []) {
                    let single = try client.entitlements("\(key)&minPosition=\(position)&\(rest)")
                    #expect(item["set"] == single.json, "seed \(seed), \(key), \(rest)")
                    #expect(item["key"] == single["key"])
                    #expect(batch.position == single.position)
                }
            }
        }
    }

    @Test func `a key that cannot be asked for is told in place, the others are answered`() async throws {
        try await withDaemon { bench, client throws in
            try EntitlementsRouteTests.subscribe(bench, client)
            let bad: [JSONValue] = [
                "560001", .integer(1), .null, [:], ["customer": "1"], ["transactionId": ""],
                ["transactionId": .integer(560_001)], ["transactionId": "a\u{0}b"],
                ["transactionId": "560001", "originalTransactionId": "560001"],
            ]
            let good: JSONValue = ["appAccountToken": .string(EntitlementsRouteTests.token.uppercased())]
            let answer = try client.batch(bad + [good], minPosition: 3)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.position == 3)
            #expect(answer["items"]?.items.count == 1)
            #expect(answer["items"]?[0]?["key"] == ["appAccountToken": .string(EntitlementsRouteTests.token)])
            #expect(answer["items"]?[0]?["set"]?["entitlements"]?.items.count == 1)
            #expect(answer["errors"]?.items.map { $0["key"] } == bad)
            #expect(answer["errors"]?.items.allSatisfy { $0["code"]?.text == "malformed" } == true)
            for rest in [[:], ["at": "2020-01-01T00:00:00Z"]] as [JSONValue] {
                let none = try client.batch([], rest, minPosition: 3)
                #expect(none.status == 200 && none.position == 3)
                #expect(none["items"] == [] && none["errors"] == [])
            }
        }
    }

    @Test(arguments: [
        ("[]", "not a JSON object"), ("{", "not a JSON object"), ("{}", "\"keys\" is missing"),
        (#"{"keys":{}}"#, "\"keys\" must be a list"), (#"{"keys":[],"at":true}"#, "\"at\" must be a text or a number"),
        (#"{"keys":[],"at":"yesterday"}"#, "\"at\""), (#"{"keys":[],"knownAt":"then"}"#, "\"knownAt\""),
        (#"{"keys":[],"minPosition":1.5}"#, "\"minPosition\""), (#"{"keys":[],"waitMs":20001}"#, "\"waitMs\""),
        (#"{"keys":[{"transactionId":"1"]}"#, "not a JSON object"),
    ])
    func `a body that is not a batch is malformed, and the answer names the member`(
        _ body: String,
        _ sentence: String
    ) async throws {
        try await withDaemon { _, client throws in
            let detail = expectProblem(try client.send("POST", Self.path, body: body), 400, "malformed")
            #expect(detail.contains(sentence), "\(detail)")
        }
    }

    @Test func `a batch has at most 500 keys, and is about one environment that is served`() async throws {
        try await withDaemon(DaemonSetup(environments: [.production])) { bench, client throws in
            try EntitlementsRouteTests.subscribe(bench, client)
            let keys = [JSONValue](repeating: ["transactionId": "560001"], count: 500)
            let full = try client.batch(keys, minPosition: 3)
            #expect(full.status == 200)
            let sets = full["items"]?.items.map { $0["set"]?["entitlements"]?.items.count }
            #expect(sets == [Int?](repeating: 1, count: 500))
            let past = try client.batch(keys, ["at": .instant(.testNow.adding(milliseconds: -1))], minPosition: 3)
            #expect(past["items"]?.items.count == 500)
            #expect(past["items"]?.items.allSatisfy { $0["set"]?["entitlements"]?.items.count == 1 } == true)
            let detail = expectProblem(try client.batch(keys + [[:]]), 400, "malformed")
            #expect(detail.contains("more than 500"))
            expectProblem(try client.batch([], ["environment": "Sandbox"]), 400, "environmentNotServed")
        }
    }

    @Test func `a batch waits for its position, and says so when it has waited long enough`() async throws {
        try await withBench { bench throws in
            let daemon = try bench.start()
            let client = try daemon.client()
            try EntitlementsRouteTests.subscribe(bench, client)
            let key: JSONValue = ["appTransactionId": .string(Sample.customer)]
            #expect(try client.batch([key], minPosition: 3).status == 200)
            let signed = try bench.store.document(Sample.transaction("560009", purchased: .testNow.adding(days: -1)))
            let waiting = try daemon.client()
            try bench.database.holdingProjection {
                #expect(try client.post(transactions: [signed]).status == 200)
                let early = try client.batch([key], ["waitMs": 20], minPosition: 4)
                expectProblem(early, 409, "notYetProjected", retryable: true)
                #expect(try client.batch([key]).position == 3)
                waiting.beginBatch([key], ["waitMs": 20_000], minPosition: 4)
                #expect(try client.get("/healthz").status == 200)
            }
            let late = try waiting.finish()
            #expect(late.position == 4)
            #expect(late["items"]?[0]?["set"]?["entitlements"]?.items.count == 2)
        }
    }

    @Test func `a batch without a database is unavailable, and needs the scope of reads`() async throws {
        var setup = DaemonSetup()
        setup.requiresTokens = true
        try await withDaemon(setup) { _, client throws in
            expectProblem(try client.batch([["transactionId": "1"]]), 401, "unauthorized")
        }
        try await withDaemon { bench, client throws in
            #expect(try client.batch([["transactionId": "1"]]).status == 200)
            try bench.database.lockOut()
            defer { try? bench.database.letIn() }
            let answer = try client.batch([["transactionId": "1"]])
            expectProblem(answer, 503, "storeUnavailable", retryable: true)
        }
    }

    static let path = "/v1/entitlements:batch"

    /// `name=value` as an element of `keys`.
    private static func key(_ text: String) -> JSONValue {
        let parts = text.split(separator: "=").map(String.init)
        return JSONValue.null.with([parts[0]: .string(parts[1])])
    }
}

extension String {
    /// `name=number` as an object, an empty text as one without members.
    fileprivate var members: JSONValue {
        let parts = split(separator: "=").map(String.init)
        return parts.count == 2 ? JSONValue.null.with([parts[0]: .integer(Int64(parts[1]) ?? 0)]) : [:]
    }
}

extension DaemonClient {
    /// Asks for the entitlements of many keys; `rest` are further members of the body.
    fileprivate func batch(_ keys: [JSONValue], _ rest: JSONValue = [:], minPosition: Int64 = 0) throws -> Answer {
        beginBatch(keys, rest, minPosition: minPosition)
        return try finish()
    }

    fileprivate func beginBatch(_ keys: [JSONValue], _ rest: JSONValue, minPosition: Int64) {
        let body = rest.with(["keys": .array(keys), "minPosition": .integer(minPosition)])
        begin("POST", BatchRouteTests.path, body: String(decoding: body.bytes, as: UTF8.self))
    }
}
