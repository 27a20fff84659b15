import LedgerCore
import Testing

/// What is read out of a payload, and what makes it malformed.
struct ClaimsReaderTests {
    private func read(_ text: String, as kind: DocumentKind = .transaction) throws(JSONSyntaxError) -> DocumentClaims {
        try ClaimsReader(Array(text.utf8), as: kind).claims
    }

    @Test func `a transaction gives its identifiers, app and time`() throws {
        let claims = try read(
            #"""
            {"transactionId":"1","originalTransactionId":"2","bundleId":"com.a","environment":"Sandbox",
             "signedDate":1777957507000,"appTransactionId":"3","appAccountToken":"7E3FB20B-4cdb-47cc-936d-99d65f608138",
             "appAppleId":9,"unknown":{"transactionId":"x","bundleId":["y"]},"deviceVerification":"AA\/B",
             "deviceVerificationNonce":"n"}
            """#
        )
        #expect(claims.transactionID?.rawValue == "1")
        #expect(claims.originalTransactionID?.rawValue == "2")
        #expect(claims.bundleID?.rawValue == "com.a")
        #expect(claims.environment == .sandbox)
        #expect(claims.signedAt == Instant(milliseconds: 1_777_957_507_000))
        #expect(claims.appTransactionID?.rawValue == "3")
        #expect(claims.appAccountToken?.rawValue == "7e3fb20b-4cdb-47cc-936d-99d65f608138")
        #expect(claims.appAppleID == nil)
        #expect(claims.device == DeviceClaims(verification: "AA/B", nonce: "n"))
        #expect(claims.notification == nil)
    }

    @Test func `an app transaction has its environment in receiptType and its time in receiptCreationDate`() throws {
        let claims = try read(
            #"{"receiptType":"Production","environment":"Sandbox","receiptCreationDate":5,"signedDate":6,"appAppleId":7}"#,
            as: .appTransaction
        )
        #expect(claims.environment == .production)
        #expect(claims.signedAt == Instant(milliseconds: 5))
        #expect(claims.appAppleID == 7)
        #expect(claims.missingMember?.description == "appTransactionId")
    }

    /// Which part names the app: `data`, else `summary`, else `externalPurchaseToken`, else `appData` (PROTOCOL.md 1.7).
    @Test(
        arguments: [
            (
                #"{"appData":{"bundleId":"d","environment":"Sandbox"},"data":{"bundleId":"a","environment":"Production"}}"#,
                "a", StoreEnvironment.production
            ),
            (#"{"appData":{"bundleId":"d"},"summary":{"bundleId":"b","environment":"Sandbox"}}"#, "b", .sandbox),
            (#"{"externalPurchaseToken":{"bundleId":"c","externalPurchaseId":"SANDBOX_1"}}"#, "c", .sandbox),
            (
                #"{"externalPurchaseToken":{"externalPurchaseId":"1","bundleId":"c","environment":"Sandbox"}}"#, "c",
                .production
            ),
            (#"{"externalPurchaseToken":{"bundleId":"c"}}"#, "c", .production),
            (#"{"data":null,"appData":{"bundleId":"d","environment":"Sandbox"}}"#, "d", .sandbox),
            (#"{"notificationType":"TEST","bundleId":"x","environment":"Sandbox"}"#, nil, nil),
        ] as [(String, String?, StoreEnvironment?)]
    )
    func `a notification takes app and environment from the right part`(
        _ text: String,
        _ bundleID: String?,
        _ environment: StoreEnvironment?
    ) throws {
        let claims = try read(text, as: .notification)
        #expect(claims.bundleID?.rawValue == bundleID)
        #expect(claims.environment == environment)
    }

    @Test func `the documents inside stand where their range says`() throws {
        let text =
            #"{"data":{"signedTransactionInfo":"a.b.c","signedRenewalInfo":"d\/e"},"appData":{"signedAppTransactionInfo":"f"}}"#
        let inner = try #require(try read(text, as: .notification).notification?.inner)
        #expect(inner.map(\.kind) == [.transaction, .renewalInfo, .appTransaction])
        #expect(inner.map(\.place) == [.signedTransactionInfo, .signedRenewalInfo, .signedAppTransactionInfo])
        #expect(inner.map { String(decoding: $0.text, as: UTF8.self) } == ["a.b.c", "d/e", "f"])
        let bytes = Array(text.utf8)
        #expect(inner.map { String(decoding: bytes[$0.range], as: UTF8.self) } == ["a.b.c", #"d\/e"#, "f"])
    }

    @Test(arguments: [
        (#"{"signedDate":"1"}"#, JSONSyntaxError.Reason.wrongType), (#"{"signedDate":1.5}"#, .outOfRange),
        (#"{"signedDate":9223372036854775808}"#, .outOfRange), (#"{"transactionId":1}"#, .wrongType),
        (#"{"bundleId":["a"]}"#, .wrongType), (#"{"environment":true}"#, .wrongType),
        (#"{"bundleId":"a","bundleId":"a"}"#, .duplicateMember),
        (#"{"bundleId":"a","bundl\u0065Id":"b"}"#, .duplicateMember),
        (#"{"transactionId":"1\u0000"}"#, .nullCharacter), (#"{"bundleId":"\ud83d"}"#, .loneSurrogate),
        (#"{"appAccountToken":"a\ude00b"}"#, .loneSurrogate), (#"{"\ud83d":1}"#, .loneSurrogate),
        (#"{"a":}"#, .unexpectedByte), ("[]", .unexpectedByte),
        ("{}{}", .unexpectedByte),
    ])
    func `a transaction that two readers could understand differently is malformed`(
        _ text: String,
        _ reason: JSONSyntaxError.Reason
    ) {
        #expect { try read(text) } throws: { ($0 as? JSONSyntaxError)?.reason == reason }
    }

    @Test(arguments: [
        (#"{"data":"text"}"#, JSONSyntaxError.Reason.wrongType),
        (#"{"data":{"signedTransactionInfo":{}}}"#, .wrongType),
        (#"{"data":{"appAppleId":"1"}}"#, .wrongType), (#"{"data":{"appAppleId":1.5}}"#, .outOfRange),
        (#"{"data":{"bundleId":"a","bundleId":"b"}}"#, .duplicateMember), (#"{"data":{},"data":{}}"#, .duplicateMember),
        (#"{"data":{"signedRenewalInfo":"a","signedRenewalInfo":"b"}}"#, .duplicateMember),
        (#"{"notificationType":"\ud83d"}"#, .loneSurrogate), (#"{"data":{"bundleId":"\ud83d"}}"#, .loneSurrogate),
        (#"{"data":{"signedTransactionInfo":"a.\ude00.c"}}"#, .loneSurrogate),
    ])
    func `a notification that two readers could understand differently is malformed`(
        _ text: String,
        _ reason: JSONSyntaxError.Reason
    ) {
        #expect { try read(text, as: .notification) } throws: { ($0 as? JSONSyntaxError)?.reason == reason }
    }

    /// A customer's text that was cut in the middle of an emoji must not make a genuine document unreadable for good.
    @Test(arguments: [
        (#"{"displayName":"caf\ud83d","bundleId":"a"}"#, DocumentKind.transaction),
        (#"{"x":[{"y":["\ude00\ud83d"]}],"bundleId":"a","subtype":"\ud83d"}"#, .transaction),
        (#"{"data":{"displayName":"\ud83d","bundleId":"a"},"other":{"bundleId":"\ud83d"}}"#, .notification),
    ])
    func `half of a surrogate pair in a member that claims don't need is passed over`(
        _ text: String,
        _ kind: DocumentKind
    ) throws {
        #expect(try read(text, as: kind).bundleID?.rawValue == "a")
    }

    @Test func `only Xcode writes fractions of a millisecond`() throws {
        let claims = try read(#"{"signedDate":1697679936056.485,"environment":"Xcode"}"#)
        #expect(claims.signedAt == Instant(milliseconds: 1_697_679_936_056))
        #expect(throws: JSONSyntaxError.self) { try read(#"{"signedDate":1697679936056.485,"environment":"Sandbox"}"#) }
        #expect(try read(#"{"signedDate":1697679936056.0}"#).signedAt == Instant(milliseconds: 1_697_679_936_056))
    }

    @Test func `unknown environments and null members are absent`() throws {
        let claims = try read(#"{"environment":"Moon","bundleId":null,"signedDate":null,"transactionId":null}"#)
        #expect(claims == DocumentClaims(kind: .transaction))
    }

    @Test(arguments: [
        (#"{"transactionId":"1"}"#, KindEvidence.transaction), (#"{"autoRenewStatus":0}"#, .renewalInfo),
        (#"{"receiptType":"Sandbox"}"#, .appTransaction), (#"{"notificationUUID":"u"}"#, .notification),
        (#"{"userLocale":"en-US"}"#, .retentionRequest), (#"{"bundleId":"a"}"#, KindEvidence()),
    ])
    func `members of one kind alone tell the kind`(_ text: String, _ evidence: KindEvidence) throws {
        #expect(try ClaimsReader(Array(text.utf8), as: .renewalInfo).looksLike == evidence)
    }
}
