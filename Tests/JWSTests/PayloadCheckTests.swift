import JWS
import LedgerCore
import StoreSimulator
import Testing

/// The checks after the signature: kind, app, environment, future (PROTOCOL.md section 1.7).
struct PayloadCheckTests {
    let bench: TestBench

    init() throws {
        bench = try TestBench()
    }

    @Test(arguments: [
        (TestBench.transaction(), DocumentKind.transaction), (TestBench.renewalInfo(), .renewalInfo),
        (TestBench.appTransaction(), .appTransaction), (TestBench.notification(), .notification),
    ])
    func `a document of each kind is accepted`(_ payload: String, _ kind: DocumentKind) throws {
        let document = try bench.verify(payload, as: kind).get()
        #expect(document.kind == kind)
        #expect(document.environment == .production)
        #expect(document.payload == Array(payload.utf8))
        #expect(document.signature.count == 64)
        #expect(document.jws.starts(with: document.headerSegment))
        #expect(Base64.decode(document.payloadSegment, .url) == document.payload)
        #expect(document.claims.missingMember == nil)
    }

    @Test(
        arguments: [
            (["bundleId": #""com.other""#], RejectionCode.bundleMismatch), (["bundleId": nil], .bundleMismatch),
            (["bundleId": #""COM.EXAMPLE.APP""#], .bundleMismatch),
            (["environment": #""Xcode""#], .environmentMismatch), (["environment": #""Moon""#], .environmentMismatch),
            (["environment": nil], .environmentMismatch), (["environment": "null"], .environmentMismatch),
            (["bundleId": #""com.other""#, "environment": #""Xcode""#], .bundleMismatch),
            (["bundleId": "5"], .malformed), (["signedDate": #""today""#], .malformed),
            (["signedDate": "1777957507000.5"], .malformed), (["signedDate": "1e40"], .malformed),
            (["transactionId": "560001100000321"], .malformed),
        ] as [([String: String?], RejectionCode)]
    )
    func `a transaction that does not fit is refused`(
        _ changes: [String: String?],
        _ code: RejectionCode
    ) throws {
        #expect(try bench.verify(TestBench.transaction(changes), as: .transaction).rejection?.code == code)
    }

    @Test(
        arguments: [
            (["appAppleId": "1"], RejectionCode.appIdMismatch), (["appAppleId": nil], .appIdMismatch),
            (["appAppleId": "1", "environment": #""Sandbox""#], nil),
            (["appAppleId": nil, "environment": #""Sandbox""#], nil),
            (["appAppleId": "1.5"], .malformed), (["bundleId": nil], .bundleMismatch),
        ] as [([String: String?], RejectionCode?)]
    )
    func `a notification needs the app's number in Production only`(
        _ data: [String: String?],
        _ code: RejectionCode?
    ) throws {
        let verdict = try bench.verify(TestBench.notification(data: data), as: .notification)
        #expect(verdict.rejection?.code == code)
    }

    @Test func `a Sandbox notification is of another environment where only Production is served`() throws {
        let app = ServedApp(
            bundleID: TestBench.app.bundleID,
            appAppleID: TestBench.app.appAppleID,
            environments: [.production]
        )
        let bench = try TestBench(apps: [app])
        let payload = TestBench.notification(data: ["appAppleId": nil, "environment": #""Sandbox""#])
        #expect(try bench.verify(payload, as: .notification).rejection?.code == .environmentMismatch)
    }

    @Test func `each app has its own environments`() throws {
        let other = ServedApp(bundleID: BundleID(rawValue: "other"), appAppleID: nil, environments: [.sandbox])
        let bench = try TestBench(apps: [TestBench.app, other])
        func verify(_ environment: String) throws -> RejectionCode? {
            let payload = TestBench.transaction(["bundleId": #""other""#, "environment": "\"\(environment)\""])
            return try bench.verify(payload, as: .transaction).rejection?.code
        }
        #expect(try verify("Sandbox") == nil)
        #expect(try verify("Production") == .environmentMismatch)
    }

    /// What each kind is answered in the place of each other; a notification as a transaction is fixture A04.
    @Test(arguments: DocumentKind.allCases, DocumentKind.allCases)
    func `a document of one kind is not taken for another`(_ kind: DocumentKind, _ asked: DocumentKind) throws {
        let payload =
            switch kind {
            case .notification: TestBench.notification()
            case .transaction: TestBench.transaction()
            case .renewalInfo: TestBench.renewalInfo()
            case .appTransaction: TestBench.appTransaction()
            }
        let expected: RejectionCode? =
            switch (kind, asked) {
            case (.notification, .transaction): .bundleMismatch
            case _ where kind == asked: nil
            default: .wrongDocumentKind
            }
        #expect(try bench.verify(payload, as: asked).rejection?.code == expected)
    }

    @Test(arguments: [(0, nil), (300_000, nil), (300_001, RejectionCode.signedInFuture)] as [(Int64, RejectionCode?)])
    func `a signing time may lie five minutes ahead`(_ lead: Int64, _ code: RejectionCode?) throws {
        let signedAt = Instant.fixtureNow.adding(milliseconds: lead).milliseconds
        let payload = TestBench.transaction(["signedDate": "\(signedAt)"])
        let rejection = try bench.verify(payload, as: .transaction).rejection
        #expect(rejection?.code == code)
        if let rejection { #expect(rejection.code.isRetryable) }
    }

    @Test func `a document from the future is refused for its app first`() throws {
        let payload = TestBench.transaction(["signedDate": "1900000000000", "bundleId": #""com.other""#])
        #expect(try bench.verify(payload, as: .transaction).rejection?.code == .bundleMismatch)
    }

    @Test(arguments: [
        ("{}", RejectionCode.bundleMismatch), ("null", .malformed), ("[]", .malformed), ("", .malformed),
        ("\"{}\"", .malformed), ("{}x", .malformed), ("{\"bundleId\":\"a\",\"bundleId\":\"b\"}", .malformed),
    ])
    func `a payload that is no object of ours is refused`(_ payload: String, _ code: RejectionCode) throws {
        #expect(try bench.verify(payload, as: .transaction).rejection?.code == code)
    }

    @Test(arguments: [
        ("transactionId", "transactionId"), ("originalTransactionId", "originalTransactionId"),
        ("signedDate", "signedDate"),
    ])
    func `a valid transaction says what its facts lack`(_ member: String, _ missing: String) throws {
        let document = try bench.verify(TestBench.transaction([member: nil]), as: .transaction).get()
        #expect(document.claims.missingMember?.description == missing)
    }
}
