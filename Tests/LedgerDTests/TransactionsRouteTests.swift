import EventStore
import LedgerCore
import StoreSimulator
import TestSupport
import Testing

@testable import LedgerD

/// `POST /v1/transactions`: documents that a device handed to the app's backend.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct TransactionsRouteTests {
    static let purchased = Instant.testNow.adding(days: -1)

    @Test func `results stand in the order of the documents, good ones among bad ones`() async throws {
        try await withDaemon { bench, client throws in
            let store = bench.store
            let subscription = Sample.subscription("560001", purchased: Self.purchased)
            let bad = try store.document(subscription, tampering: .spoiling { $0.signature = .otherKey })
            let foreign = try store.document(subscription.with(["bundleId": "com.example.other"]))
            let answer = try client.post(
                transactions: [
                    try store.document(Sample.transaction("560002", purchased: Self.purchased)), bad,
                    try store.document(subscription), foreign,
                ],
                renewals: [try store.document(Sample.renewal(subscription, signed: Self.purchased))],
                app: try store.document(Sample.appTransaction(created: Self.purchased))
            )
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "application/json")
            let results = answer["results"]?.items ?? []
            #expect(
                results.map { $0["kind"]?.text } == [
                    "transaction", "transaction", "transaction", "transaction", "renewalInfo", "appTransaction",
                ]
            )
            #expect(
                results.map { $0["outcome"]?.text } == [
                    "recorded", "rejected", "recorded", "rejected", "recorded", "recorded",
                ]
            )
            #expect(results.map { $0["transactionId"]?.text } == ["560002", nil, "560001", nil, nil, nil])
            #expect(results.map { $0["safeToFinish"]?.boolean } == [true, false, true, false, true, true])
            #expect(results.map { $0["position"]?.integer } == [1, nil, 2, nil, 3, 4])
            #expect(
                results.map { $0["problem"]?["code"]?.text } == [nil, "badSignature", nil, "bundleMismatch", nil, nil]
            )
            #expect(
                results.allSatisfy {
                    $0.names == ["kind", "transactionId", "outcome", "position", "safeToFinish", "problem"]
                }
            )
            #expect(try LedgerState(bench.database).events.allSatisfy { $0.event.source == .device })
        }
    }

    @Test func `the entitlements in the answer show what was just written`() async throws {
        try await withDaemon { bench, client throws in
            for number in 1...20 {
                let signed = try bench.store.document(
                    Sample.transaction("56000\(number)", product: "com.example.\(number)", purchased: Self.purchased)
                )
                let answer = try client.post(transactions: [signed])
                let set = answer["entitlements"]
                #expect(set?["entitlements"]?.items.count == number)
                #expect(set?["key"]?["appTransactionId"]?.text == Sample.customer)
                #expect((set?["position"]?.integer ?? 0) >= Int64(number))
                #expect(set?["at"] == .string(Instant.testNow.rfc3339))
            }
        }
    }

    @Test func `a document that is known is a duplicate and safe to finish`() async throws {
        try await withDaemon { bench, client throws in
            let transaction = Sample.transaction("560001", purchased: Self.purchased)
            #expect(try client.notify(try bench.store.notification(Sample.notification(transaction))).position == 2)
            let signed = try bench.store.document(transaction)
            let answer = try client.post(transactions: [signed, signed])
            for result in answer["results"]?.items ?? [] {
                #expect(result["outcome"]?.text == "duplicate")
                #expect(result["position"]?.integer == 2)
                #expect(result["safeToFinish"]?.boolean == true)
            }
            #expect(answer["results"]?.items.count == 2)
            #expect(try LedgerState(bench.database).positions == [1, 2])
        }
    }

    @Test func `when every document is refused the answer is a problem with the results`() async throws {
        try await withDaemon { bench, client throws in
            let store = bench.store
            let transaction = Sample.transaction("560001", purchased: Self.purchased)
            let answer = try client.post(
                transactions: [
                    try store.document(transaction.with(["bundleId": "com.example.other"])),
                    try store.document(transaction, tampering: .spoiling { $0.signature = .otherKey }),
                ]
            )
            expectProblem(answer, 400, "bundleMismatch")
            #expect(
                answer["results"]?.items.map { $0["problem"]?["code"]?.text } == ["bundleMismatch", "badSignature"]
            )
            #expect(answer["entitlements"] == nil)
        }
    }

    @Test func `one document that may be taken later makes the whole request retryable`() async throws {
        try await withDaemon { bench, client throws in
            let store = bench.store
            let transaction = Sample.transaction("560001", purchased: Self.purchased)
            let early = transaction.with(["signedDate": .instant(Instant.testNow.adding(days: 1))])
            let foreign = try store.document(transaction.with(["bundleId": "com.example.other"]))
            let answer = try client.post(transactions: [foreign, try store.document(early)])
            expectProblem(answer, 503, "signedInFuture", retryable: true)
            #expect(answer["results"]?.items.map { $0["problem"]?["retryable"]?.boolean } == [false, true])
        }
    }

    @Test(arguments: [
        ("transactionId", "560001"), ("originalTransactionId", "560001"), ("signedDate", ""),
    ])
    func `a transaction without its identity or signing time is malformed`(_ member: String, _ value: String)
        async throws
    {
        try await withDaemon { bench, client throws in
            let transaction = Sample.transaction("560001", purchased: Self.purchased).with([:])
            let answer = try client.post(transactions: [try bench.store.document(transaction.without(member))])
            #expect(expectProblem(answer, 400, "malformed").contains(member))
            #expect(try LedgerState(bench.database).isEmpty)
        }
    }

    @Test func `a lone renewal info is taken only when its line is known`() async throws {
        try await withDaemon { bench, client throws in
            let store = bench.store
            let transaction = Sample.subscription("560001", purchased: Self.purchased)
            let renewal = try store.document(Sample.renewal(transaction, signed: Self.purchased))
            expectProblem(try client.post(renewals: [renewal]), 400, "lineUnknown")
            // A transaction of another line, or of another environment, does not vouch for it.
            let other = try store.document(Sample.subscription("560002", purchased: Self.purchased))
            let sandbox = try store.document(transaction.with(["environment": "Sandbox"]))
            let mixed = try client.post(transactions: [other, sandbox], renewals: [renewal])
            #expect(mixed["results"]?.items.map { $0["problem"]?["code"]?.text } == [nil, nil, "lineUnknown"])
            let forged = try store.document(transaction, tampering: .spoiling { $0.signature = .otherKey })
            let vouched = try client.post(transactions: [forged], renewals: [renewal])
            #expect(vouched["results"]?.items.map { $0["problem"]?["code"]?.text } == ["badSignature", "lineUnknown"])

            let together = try client.post(transactions: [try store.document(transaction)], renewals: [renewal])
            #expect(together["results"]?.items.map { $0["outcome"]?.text } == ["recorded", "recorded"])
            let later = try store.document(Sample.renewal(transaction, signed: .testNow, autoRenews: false))
            let alone = try client.post(renewals: [later])
            #expect(alone["results"]?[0]?["outcome"]?.text == "recorded")
            #expect(alone["entitlements"]?["subscriptions"]?[0]?["autoRenewStatus"]?.integer == 0)
        }
    }

    @Test func `an app transaction alone answers with its customer`() async throws {
        try await withDaemon { bench, client throws in
            let answer = try client.post(app: try bench.store.document(Sample.appTransaction(created: Self.purchased)))
            #expect(answer["results"]?[0]?["kind"]?.text == "appTransaction")
            #expect(answer["results"]?[0]?["safeToFinish"]?.boolean == true)
            #expect(answer["entitlements"]?["key"]?["appTransactionId"]?.text == Sample.customer)
            #expect(answer["entitlements"]?["entitlements"]?.items.isEmpty == true)
            for change in [
                ("bundleId", JSONValue.string("com.example.other"), "bundleMismatch"),
                ("appAppleId", 1, "appIdMismatch"), ("receiptType", "Xcode", "environmentMismatch"),
            ] {
                let wrong = Sample.appTransaction(created: Self.purchased).replacing(change.0, change.1)
                expectProblem(try client.post(app: try bench.store.document(wrong)), 400, change.2)
            }
        }
    }

    /// Nonce and identifier with base64 of SHA-384 over both in lower case, computed with Python's hashlib.
    static let device = (
        id: "6F1C22A4-3B8E-4C1B-9D55-0A7E6B1F2C3D", nonce: "0b9a7c1e-5d2f-4e86-8a31-c4d5e6f70819",
        proof: "/MNsa9IaVvihLb0iPZB+TpQBAQnRw6UKc5JllF2rVWS6x1qU3wvF9f/p8kTyYSDh"
    )

    @Test func `a document of the named device is taken, one of another device is not`() async throws {
        try await withDaemon { bench, client throws in
            let bound = Sample.transaction("560001", purchased: Self.purchased).with([
                "deviceVerification": .string(Self.device.proof), "deviceVerificationNonce": .string(Self.device.nonce),
            ])
            let signed = try bench.store.document(bound)
            let other = "6F1C22A4-3B8E-4C1B-9D55-0A7E6B1F2C3E"
            expectProblem(try client.post(transactions: [signed], device: other), 400, "deviceMismatch")
            #expect(try LedgerState(bench.database).isEmpty)
            for id in [Self.device.id, Self.device.id.lowercased()] {
                #expect(try client.post(transactions: [signed], device: id).status == 200)
            }
            let unbound = try bench.store.document(Sample.transaction("560002", purchased: Self.purchased))
            expectProblem(try client.post(transactions: [unbound], device: Self.device.id), 400, "deviceMismatch")
            #expect(try client.post(transactions: [unbound]).status == 200)
        }
    }

    @Test(arguments: [
        ("nothing", "JSON object"), ("[]", "JSON object"), ("{}", "\"signedTransactions\" is missing"),
        ("{\"signedTransactions\":[]}", "\"signedTransactions\" is missing"),
        ("{\"signedTransactions\":\"a.b.c\"}", "\"signedTransactions\" must be a list of texts"),
        ("{\"signedTransactions\":[\"a.b.c\",5]}", "\"signedTransactions[1]\" must be a text"),
        ("{\"signedRenewalInfos\":[null]}", "\"signedRenewalInfos[0]\" must be a text"),
        ("{\"signedRenewalInfos\":{}}", "\"signedRenewalInfos\" must be a list of texts"),
        ("{\"signedAppTransaction\":[]}", "\"signedAppTransaction\" must be a text"),
        ("{\"signedTransactions\":[\"a.b.c\"],\"deviceVerificationId\":7}", "\"deviceVerificationId\" must be a text"),
    ])
    func `a body that is not the one of the contract is malformed, and the answer names the member`(
        _ body: String,
        _ sentence: String
    ) async throws {
        try await withDaemon { _, client throws in
            let detail = expectProblem(try client.send("POST", "/v1/transactions", body: body), 400, "malformed")
            #expect(detail.contains(sentence), "\(detail)")
        }
    }

    @Test func `more than a hundred documents of a kind are refused, a hundred are judged`() async throws {
        try await withDaemon { _, client throws in
            let document = Array("a.b.c".utf8)
            let hundred = try client.post(transactions: Array(repeating: document, count: 100))
            #expect(hundred["results"]?.items.count == 100)
            let more = try client.post(transactions: Array(repeating: document, count: 101))
            #expect(expectProblem(more, 400, "malformed").contains("more than 100"))
            #expect(more["results"] == nil)
        }
    }
}

extension JSONValue {
    func without(_ member: String) -> JSONValue {
        guard case .object(let object) = self else { return self }
        var rest = JSONObject()
        for (name, value) in object.members where name != member { rest.add(name, value) }
        return .object(rest)
    }

    func replacing(_ member: String, _ value: JSONValue) -> JSONValue {
        guard case .object(var object) = without(member) else { return self }
        object.add(member, value)
        return .object(object)
    }
}
