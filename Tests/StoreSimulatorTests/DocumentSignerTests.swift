import JWS
import LedgerCore
import StoreSimulator
import Testing

/// What the simulated App Store signs: the form of real documents, and the bytes as they were given.
struct DocumentSignerTests {
    private let signer: DocumentSigner
    private let verifier: Verifier
    private static let now = Instant(milliseconds: 1_780_000_000_000)

    init() throws {
        let chain = try TestChain()
        signer = DocumentSigner(chain: chain)
        let app = ServedApp(bundleID: BundleID(rawValue: "a"), appAppleID: nil, environments: [.sandbox])
        verifier = try Verifier(
            roots: try TrustedRoots(contents: [chain.root]),
            apps: [app],
            clock: { DocumentSignerTests.now }
        )
    }

    @Test func `the header is compact and the same in every document`() throws {
        let first = try signer.sign(Array("{}".utf8)).split(separator: UInt8(ascii: "."))
        let second = try signer.sign(Array(#"{"a":1}"#.utf8)).split(separator: UInt8(ascii: "."))
        #expect(first[0] == second[0])
        let header = try #require(Base64.decode(first[0], .url))
        #expect(String(decoding: header, as: UTF8.self).hasPrefix(#"{"alg":"ES256","x5c":["MII"#))
        #expect(header.count { $0 == UInt8(ascii: ",") } == 3)
        #expect(Base64.decode(first[1], .url) == Array("{}".utf8))
    }

    @Test func `a notification keeps every byte outside its inner objects`() throws {
        let body = #"""
            { "notificationType" : "X", "big": 12345678901234567890.50, "data": { "bundleId": "a", "z": [1, "b c"],
              "transactionInfo": { "transactionId": "1", "bundleId": "a", "environment": "Sandbox", "signedDate": 1 },
              "environment": "Sandbox", "renewalInfo": { "originalTransactionId": "1", "environment": "Sandbox", "signedDate": 2 } } }
            """#
        let notification = try NotificationSigner(signer: signer).sign(Array(body.utf8))
        let payload = try #require(Base64.decode(notification.split(separator: UInt8(ascii: "."))[1], .url))
        let text = String(decoding: payload, as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"notificationType":"X","big":12345678901234567890.50,"data":{"bundleId":"a","z":[1,"b c"],"signedTransactionInfo":"ey"#
            )
        )
        #expect(text.contains(#"","environment":"Sandbox","signedRenewalInfo":"ey"#))
        #expect(text.hasSuffix(#""}}"#))
        let verdict = verifier.verifyNotification(notification)
        #expect(verdict.rejection?.code == .certificateExpired)  // signed in 1970
        #expect(verdict.rejection?.document == .signedTransactionInfo)
    }

    @Test func `an app transaction inside appData is signed too`() throws {
        let body = #"""
            {"notificationType":"RESCIND_CONSENT","signedDate":1777957507000,"appData":{"bundleId":"a","environment":"Sandbox",
             "appTransactionInfo":{"appTransactionId":"7","bundleId":"a","receiptType":"Sandbox","receiptCreationDate":1777957507000}}}
            """#
        let verdict = verifier.verifyNotification(try NotificationSigner(signer: signer).sign(Array(body.utf8)))
        #expect(verdict.document?.inner.map(\.claims.appTransactionID?.rawValue) == ["7"])
    }

    @Test func `only the document that is meant is spoiled`() throws {
        let body = #"""
            {"signedDate":1777957507000,"data":{"bundleId":"a","environment":"Sandbox","transactionInfo":
             {"transactionId":"1","originalTransactionId":"1","bundleId":"a","environment":"Sandbox","signedDate":1777957507000}}}
            """#
        for (target, place) in [
            (Tampering.Target.outer, Rejection.Document.outer), (.transactionInfo, .signedTransactionInfo),
        ] {
            var tampering = Tampering(target: target)
            tampering.signature = .der
            let jws = try NotificationSigner(signer: signer).sign(Array(body.utf8), tampering: tampering)
            #expect(
                verifier.verifyNotification(jws).rejection
                    == Rejection(.badSignature, "The signature segment is not base64url of 64 bytes.", in: place)
            )
        }
    }

    @Test func `a body that is no JSON object is an error`() throws {
        #expect(throws: NotificationSignerError.self) { try NotificationSigner(signer: signer).sign(Array("[1".utf8)) }
    }

    @Test func `a new leaf changes the header and keeps the root`() throws {
        let rotated = DocumentSigner(chain: try signer.chain.withNewLeaf())
        let payload = Array(#"{"transactionId":"1","bundleId":"a","environment":"Sandbox"}"#.utf8)
        for signer in [signer, rotated] {
            #expect(verifier.verify(try signer.sign(payload), as: .transaction).rejection == nil)
        }
        #expect(verifier.chainCacheCounters.entries == 2)
    }
}
