import JWS
import LedgerCore
import StoreSimulator
import Testing

/// Documents inside a notification are verified one by one.
struct NotificationTests {
    let bench: TestBench

    init() throws {
        let other = ServedApp(bundleID: BundleID(rawValue: "com.other"), appAppleID: 1, environments: [.production])
        bench = try TestBench(apps: [TestBench.app, other])
    }

    /// Signs the inner payloads, puts them into a notification, and judges it.
    private func verify(_ inner: [String: String], tampering: [String: Tampering] = [:]) throws
        -> Verdict<VerifiedNotification>
    {
        var data: [String: String?] = [:]
        for (name, payload) in inner {
            let bytes = Array(payload.utf8)
            let jws =
                try tampering[name].map { try bench.signer.sign(bytes, tampering: $0) } ?? bench.signer.sign(bytes)
            data[name] = "\"\(String(decoding: jws, as: UTF8.self))\""
        }
        let body = TestBench.notification(data: data)
        return bench.verifier.verifyNotification(try bench.signer.sign(Array(body.utf8)))
    }

    @Test func `the documents inside come in order, with their places in the payload`() throws {
        let notification = try verify([
            "signedTransactionInfo": TestBench.transaction(), "signedRenewalInfo": TestBench.renewalInfo(),
        ]).get()
        #expect(notification.inner.map(\.kind) == [.renewalInfo, .transaction])  // as the test writes them
        let payload = notification.notification.payload
        let places = try #require(notification.notification.claims.notification?.inner)
        #expect(notification.inner.map(\.jws) == places.map { Array(payload[$0.range]) })
        #expect(notification.notification.claims.notification?.id?.rawValue == "9782c9c7-7e86-5239-bb46-a043b075cb4b")
    }

    @Test(arguments: [
        ("signedTransactionInfo", Rejection.Document.signedTransactionInfo), ("signedRenewalInfo", .signedRenewalInfo),
    ])
    func `a bad document inside refuses the whole and is named`(
        _ name: String,
        _ place: Rejection.Document
    ) throws {
        var tampering = Tampering()
        tampering.signature = .otherKey
        let rejection = try verify(
            ["signedTransactionInfo": TestBench.transaction(), "signedRenewalInfo": TestBench.renewalInfo()],
            tampering: [name: tampering]
        ).rejection
        #expect(rejection?.code == .badSignature)
        #expect(rejection?.document == place)
        #expect(rejection?.description.hasPrefix("badSignature in \(name): ") == true)
    }

    @Test(
        arguments: [
            (["bundleId": #""com.other""#], RejectionCode.bundleMismatch),  // served, and not the notification's
            (["bundleId": #""com.third""#], .bundleMismatch),
            (["environment": #""Sandbox""#], .environmentMismatch),  // served, and not the notification's
            (["environment": nil], .environmentMismatch),  // the refunded consumable of 2021 (appendix C)
            (["signedDate": "1900000000000"], .signedInFuture),
        ] as [([String: String?], RejectionCode)]
    )
    func `a transaction inside is of the same app and environment`(
        _ changes: [String: String?],
        _ code: RejectionCode
    ) throws {
        #expect(try verify(["signedTransactionInfo": TestBench.transaction(changes)]).rejection?.code == code)
    }

    @Test func `a renewal info in the place of a transaction refuses the whole`() throws {
        let rejection = try verify(["signedTransactionInfo": TestBench.renewalInfo()]).rejection
        #expect(rejection?.code == .wrongDocumentKind)
        #expect(rejection?.document == .signedTransactionInfo)
    }

    @Test(arguments: [
        "null", TestBench.renewalInfo(["originalTransactionId": nil]), TestBench.renewalInfo(["signedDate": nil]),
    ])
    func `a renewal info without facts is kept with the notification`(_ renewal: String) throws {
        let notification = try verify([
            "signedTransactionInfo": TestBench.transaction(), "signedRenewalInfo": renewal,
        ]).get()
        #expect(notification.inner.map(\.kind) == [.transaction])
        #expect(notification.withoutFacts.map(\.kind) == [.renewalInfo])
    }

    @Test func `a payload of null needs a good signature like any other`() throws {
        var tampering = Tampering()
        tampering.signature = .otherKey
        let rejection = try verify(["signedRenewalInfo": "null"], tampering: ["signedRenewalInfo": tampering]).rejection
        #expect(rejection?.code == .badSignature)
    }

    @Test func `a payload of null is judged at the notification's signing time`() throws {
        var shape = TestChain.Shape()
        // Valid when the notification was signed, and over when it is imported.
        shape.leafValidity = Instant(milliseconds: 1_700_000_000_000)...Instant(milliseconds: 1_778_000_000_000)
        let old = try TestBench(shape: shape)
        let renewal = try old.signer.sign(Array("null".utf8))
        let body = TestBench.notification(data: ["signedRenewalInfo": "\"\(String(decoding: renewal, as: UTF8.self))\""]
        )
        let verdict = old.verifier.verifyNotification(try old.signer.sign(Array(body.utf8)))
        #expect(verdict.document?.withoutFacts.count == 1)
    }

    @Test func `a text inside that is no JWS refuses the whole`() throws {
        let body = TestBench.notification(data: ["signedTransactionInfo": #""not a JWS""#])
        let rejection = bench.verifier.verifyNotification(try bench.signer.sign(Array(body.utf8))).rejection
        #expect(rejection?.code == .malformed)
        #expect(rejection?.document == .signedTransactionInfo)
    }

    @Test func `escapes inside a document's text are resolved before it is verified`() throws {
        let transaction = try bench.signer.sign(Array(TestBench.transaction().utf8))
        let text = String(decoding: transaction, as: UTF8.self)
        let escaped = "\\u00\(String(text.utf8.first ?? 0, radix: 16))" + text.dropFirst()
        let body = TestBench.notification(data: ["signedTransactionInfo": "\"\(escaped)\""])
        let verdict = bench.verifier.verifyNotification(try bench.signer.sign(Array(body.utf8)))
        #expect(verdict.document?.inner.map(\.jws) == [transaction])
    }

    @Test func `a member of null is no document`() throws {
        let body = TestBench.notification(data: ["signedTransactionInfo": "null"])
        let verdict = bench.verifier.verifyNotification(try bench.signer.sign(Array(body.utf8)))
        #expect(verdict.document?.inner.isEmpty == true)
    }
}
