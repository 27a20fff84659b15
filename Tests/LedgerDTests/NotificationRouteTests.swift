import EventStore
import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// `POST /v1/notifications`: what is taken in, and what it leaves in the log.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct NotificationRouteTests {
    static let purchased = Instant.testNow.adding(days: -1)

    @Test func `a notification is recorded with its documents, and the answer names the last position`() async throws {
        try await withDaemon { bench, client throws in
            let transaction = Sample.subscription("560001", purchased: Self.purchased)
            let id = Sample.newUUID()
            let body = Sample.notification(
                transaction,
                Sample.renewal(transaction, signed: Self.purchased),
                type: "SUBSCRIBED",
                id: id.uppercased()
            )
            let signed = try bench.store.notification(body)
            let answer = try client.notify(signed)
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.json == ["outcome": "recorded", "position": 3, "notificationUUID": .string(id)])
            let log = try LedgerState(bench.database)
            #expect(log.events.first?.event.kind == .notification)
            #expect(log.counts == [.notification: 1, .transaction: 1, .renewalInfo: 1])
            #expect(log.events.map(\.event.causedBy) == [nil, Position(1), Position(1)])
            #expect(log.events.allSatisfy { $0.event.source == .notification })
            #expect(try LedgerState.receivedTexts(bench.database).first == signed)
        }
    }

    @Test func `the same notification again is a duplicate at the same position`() async throws {
        try await withDaemon { bench, client throws in
            let signed = try bench.store.notification(
                Sample.notification(Sample.transaction("560001", purchased: Self.purchased))
            )
            let first = try client.notify(signed)
            for _ in 1...3 {
                let again = try client.notify(signed)
                #expect(again.status == 200)
                #expect(again["outcome"]?.text == "duplicate")
                #expect(again.position == first.position)
                #expect(again["notificationUUID"] == first["notificationUUID"])
            }
            #expect(try LedgerState(bench.database).positions == [1, 2])
        }
    }

    @Test func `another notification under a known identity is kept as a conflict, and its new documents count`()
        async throws
    {
        try await withDaemon { bench, client throws in
            let id = Sample.newUUID()
            let first = Sample.transaction("560001", purchased: Self.purchased)
            let second = Sample.transaction("560002", purchased: Self.purchased.adding(milliseconds: 60_000))
            let original = try bench.store.notification(Sample.notification(first, id: id))
            let other = try bench.store.notification(Sample.notification(second, id: id))
            #expect(try client.notify(original).position == 2)
            let conflict = try client.notify(other)
            #expect(conflict.status == 200)
            #expect(conflict["outcome"]?.text == "duplicate")
            #expect(conflict.position == 4)
            #expect(try client.notify(other).json == conflict.json)
            #expect(try client.notify(original)["outcome"]?.text == "duplicate")
            let log = try LedgerState(bench.database)
            #expect(log.events.map(\.event.kind) == [.notification, .transaction, .conflict, .transaction])
            #expect(try LedgerState.receivedTexts(bench.database)[2] == other)
            let set = try client.entitlements("transactionId=560002&minPosition=4")
            #expect(set["entitlements"]?[0]?["transactionId"]?.text == "560002")
        }
    }

    @Test func `a transaction that two notifications carry, signed twice, is one event, and both texts come back`()
        async throws
    {
        try await withDaemon { bench, client throws in
            let transaction = Sample.transaction("560001", purchased: Self.purchased)
            let signed = try (0..<3).map { _ in try bench.store.notification(Sample.notification(transaction)) }
            for notification in signed { #expect(try client.notify(notification)["outcome"]?.text == "recorded") }
            let log = try LedgerState(bench.database)
            #expect(log.counts == [.notification: 3, .transaction: 1])
            let texts = try LedgerState.receivedTexts(bench.database)
            let notifications = zip(log.events, texts).filter { $0.0.event.kind == .notification }.map(\.1)
            #expect(notifications == signed)
        }
    }

    @Test func `an unknown type, unknown members and values are stored as they came`() async throws {
        try await withDaemon { bench, client throws in
            let transaction = Sample.subscription("560001", purchased: Self.purchased).with([
                "futureField": ["a": [1, 2.0.json, .null]], "offerType": 77, "transactionReason": "GIFT",
            ])
            let body = Sample.notification(transaction, type: "LOYALTY_EXTENSION", subtype: "GIFTED").with([
                "futureHint": "x"
            ])
            let signed = try bench.store.notification(body)
            let answer = try client.notify(signed)
            #expect(answer.status == 200)
            let log = try LedgerState(bench.database)
            #expect(log.events.first?.event.notificationType == "LOYALTY_EXTENSION")
            #expect(log.events.first?.event.subtype == "GIFTED")
            #expect(log.events.last?.event.payload == transaction.bytes)
            #expect(try LedgerState.receivedTexts(bench.database).first == signed)
            let set = try client.entitlements("originalTransactionId=560001&minPosition=2")
            #expect(set["subscriptions"]?[0]?["status"]?.integer == 1)
        }
    }

    @Test func `a notification without documents is recorded`() async throws {
        try await withDaemon { bench, client throws in
            let signed = try bench.store.notification(Sample.notification(type: "TEST"))
            #expect(try client.notify(signed).position == 1)
            #expect(try LedgerState(bench.database).counts == [.notification: 1])
        }
    }

    @Test func `blanks, escapes and other members in the body do no harm`() async throws {
        try await withDaemon { bench, client throws in
            let text = String(decoding: try bench.store.notification(Sample.notification(type: "TEST")), as: UTF8.self)
            let escaped = text.replacing("A", with: #"\u0041"#)
            let body = " { \"other\" : [1,{}], \"signedPayload\" :\n\"\(escaped)\" } "
            #expect(try client.send("POST", "/v1/notifications", body: body)["outcome"]?.text == "recorded")
            #expect(try client.notify(Array(text.utf8))["outcome"]?.text == "duplicate")
        }
    }

    @Test(arguments: [
        ("", "byte 0"), ("nothing", "byte 0"), ("[]", "byte 0"), ("{\"signedPayload\":\"a.b.c\"", "JSON object"),
        ("{\"signedPayload\":\"a.b.c\"} {}", "JSON object"), ("{}", "\"signedPayload\" is missing"),
        ("{\"SignedPayload\":\"a.b.c\"}", "\"signedPayload\" is missing"),
        ("{\"signedPayload\":5}", "\"signedPayload\" must be a text"),
        ("{\"signedPayload\":null}", "\"signedPayload\" must be a text"),
        ("{\"signedPayload\":[\"a.b.c\"]}", "\"signedPayload\" must be a text"),
    ])
    func `a body that is not the one of the contract is malformed, and the answer says where`(
        _ body: String,
        _ sentence: String
    ) async throws {
        try await withDaemon { bench, client throws in
            let answer = try client.send("POST", "/v1/notifications", body: body)
            let detail = expectProblem(answer, 400, "malformed")
            #expect(detail.contains(sentence), "\(detail)")
            #expect(try LedgerState(bench.database).isEmpty)
        }
    }

    @Test func `a body longer than 256 KiB is too large, one of exactly that length is read`() async throws {
        try await withBench { bench throws in
            let daemon = try bench.start()
            let prefix = "{\"signedPayload\":\""
            func body(_ length: Int) -> String {
                prefix + String(repeating: "a", count: length - prefix.utf8.count - 2) + "\"}"
            }
            let fits = try daemon.client().send("POST", "/v1/notifications", body: body(256 * 1024))
            expectProblem(fits, 400, "malformed")
            for length in [256 * 1024 + 1, 900_000] {
                let answer = try daemon.client().send("POST", "/v1/notifications", body: body(length))
                expectProblem(answer, 413, "tooLarge")
            }
            #expect(try LedgerState(bench.database).isEmpty)
        }
    }

    @Test func `other methods and paths are told what there is`() async throws {
        try await withDaemon { _, client throws in
            let method = try client.get("/v1/notifications")
            expectProblem(method, 405, "methodNotAllowed")
            #expect(method.headers["allow"] == "POST")
            expectProblem(try client.get("/v1/nothing"), 404, "notFound")
            expectProblem(try client.send("POST", "/v1/entitlements", body: "{}"), 405, "methodNotAllowed")
        }
    }
}

extension Double {
    fileprivate var json: JSONValue { .number(String(self)) }
}
