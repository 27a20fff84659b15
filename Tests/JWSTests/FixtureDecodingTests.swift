import Foundation
import LedgerCore
import StoreSimulator
import Testing

@testable import JWS

/// The decoding cases: payloads of every kind that Apple's libraries read without looking at a signature.
///
/// Left out: M11, a retention-messaging request, which the ledger never takes (see the last test).
@Suite("Fixtures: decoding", SharedFolder.isNeeded)
struct FixtureDecodingTests {
    static let cases: [(file: String, kind: DocumentKind, code: RejectionCode?)] = [
        ("appTransaction", .appTransaction, nil),
        ("signedTransaction", .transaction, nil),
        ("signedTransactionWithRevocation", .transaction, nil),
        ("signedRenewalInfo", .renewalInfo, nil),
        ("signedNotification", .notification, nil),
        ("signedConsumptionRequestNotification", .notification, nil),
        ("signedSummaryNotification", .notification, nil),
        ("signedExternalPurchaseTokenNotification", .notification, .environmentMismatch),
        ("signedExternalPurchaseTokenSandboxNotification", .notification, .environmentMismatch),
        ("signedRescindConsentNotification", .notification, nil),
    ]

    @Test(arguments: cases.indices) func `reads a payload of the models`(_ index: Int) throws {
        let item = Self.cases[index]
        let payload = try SharedFolder.bytes("appstore/fixtures/models/\(item.file).json")
        let verdict = try Self.verify(payload, as: item.kind)
        #expect(verdict.rejection?.code == item.code)
        if let document = verdict.document { #expect(document.payload == payload) }
    }

    @Test(arguments: DocumentKind.allCases) func `a retention request is none of our documents`(
        _ kind: DocumentKind
    ) throws {
        let payload = try SharedFolder.bytes("appstore/fixtures/models/decodedRealtimeRequest.json")
        #expect(try Self.verify(payload, as: kind).rejection?.code == .wrongDocumentKind)
    }

    private static func verify(_ payload: [UInt8], as kind: DocumentKind) throws -> Verdict<VerifiedDocument> {
        let jws = try JWSSigner.sign(
            headerSegment: Base64.encode(Array(#"{"alg":"ES256"}"#.utf8), .url),
            payload: payload,
            with: try SigningKey(generating: .p256)
        )
        let app = ServedApp(
            bundleID: BundleID(rawValue: "com.example"),
            appAppleID: 1_234,
            environments: [.localTesting]
        )
        let verifier = try Verifier(unsigned: app, roots: try .appleRootG3(), clock: { .fixtureNow })
        return verifier.verify(jws, as: kind)
    }
}
