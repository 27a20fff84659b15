import Foundation
import JWS
import LedgerCore
import Testing

/// Documents that the App Store really signed, judged under Apple Root CA – G3 by its fingerprint alone.
@Suite("Real documents", SharedFolder.isNeeded)
struct RealDocumentTests {
    struct Item: Decodable, CustomTestStringConvertible {
        let file: String
        let kind: String
        let environment: StoreEnvironment?
        let bundleId: String?
        let appAppleId: Int64?
        let expect: String
        let signedDate: Double?
        let transactionId: String?
        let notificationUUID: String?
        var testDescription: String { file }
    }

    /// Without 62, which is a receipt and no JWS.
    static let all = SharedFolder.list("appstore/real/index.json", Item.self).filter { kinds[$0.kind] != nil }
    static let valid = all.filter { $0.expect == "valid" }
    static let refused: [String: RejectionCode] = [
        "55-transaction.jws": .environmentMismatch,  // genuine, of 2021, without environment
        "56-renewal.jws": .malformed,  // genuine, but its payload is null
        "58-transaction.jws": .chainLength,  // damaged: two certificates were spliced into one
        "59-notification.jws": .untrustedRoot,  // of another vendor, in the same form
        "60-apptransaction.jws": .chainLength,  // signed by Xcode
        "61-transaction.jws": .environmentMismatch,  // signed by Xcode (case C37)
    ]

    @Test func `the index lists 38 valid documents and 6 others`() {
        #expect(Self.valid.count == 38)
        #expect(Self.all.count == 44)
    }

    @Test(arguments: valid) func `a valid document and all inside it are accepted`(_ item: Item) throws {
        let verifier = try Self.verifier(item)
        let text = try SharedFolder.text("appstore/real/\(item.file)")
        let kind = try #require(Self.kinds[item.kind])
        let document = try verifier.verify(text, as: kind).get()
        #expect(document.jws == text)
        #expect(document.environment == item.environment)
        #expect(document.claims.signedAt?.milliseconds == item.signedDate.map { Int64($0) })
        #expect(document.claims.missingMember == nil)
        if kind == .transaction { #expect(document.claims.transactionID?.rawValue == item.transactionId) }
        guard kind == .notification else { return }
        let notification = try verifier.verifyNotification(text).get()
        #expect(notification.notification == document)
        #expect(notification.notification.claims.notification?.id?.rawValue == item.notificationUUID)
        #expect(notification.withoutFacts.isEmpty)
        let places = document.claims.notification?.inner ?? []
        #expect(notification.inner.map(\.jws) == places.map { Array(document.payload[$0.range]) })
    }

    @Test(arguments: refused.keys.sorted()) func `another document is refused with its code`(_ file: String) throws {
        let item = try #require(Self.all.first { $0.file == file })
        let kind = try #require(Self.kinds[item.kind])
        let verdict = try Self.verifier(item).verify(try SharedFolder.text("appstore/real/\(file)"), as: kind)
        #expect(verdict.rejection?.code == Self.refused[file])
    }

    @Test func `the root's certificate and its fingerprint give the same verdicts`() throws {
        let item = try #require(Self.valid.first)
        let file = SharedFolder.url.appending(path: "appstore/roots/AppleRootCA-G3.cer").path
        let verifier = try Self.verifier(item, roots: try TrustedRoots(entries: [file]))
        let kind = try #require(Self.kinds[item.kind])
        #expect(verifier.verify(try SharedFolder.text("appstore/real/\(item.file)"), as: kind).document != nil)
    }

    @Test func `another of Apple's roots accepts nothing`() throws {
        let item = try #require(Self.valid.first)
        let file = SharedFolder.url.appending(path: "appstore/roots/AppleRootCA-G2.cer").path
        let verifier = try Self.verifier(item, roots: try TrustedRoots(entries: [file]))
        let kind = try #require(Self.kinds[item.kind])
        let verdict = verifier.verify(try SharedFolder.text("appstore/real/\(item.file)"), as: kind)
        #expect(verdict.rejection?.code == .untrustedRoot)
    }

    static let kinds: [String: DocumentKind] = [
        "notification": .notification, "transaction": .transaction, "renewal": .renewalInfo,
        "apptransaction": .appTransaction,
    ]

    private static func verifier(_ item: Item, roots: TrustedRoots? = nil) throws -> Verifier {
        let served: StoreEnvironment = item.environment == .production ? .production : .sandbox
        let app = ServedApp(
            bundleID: BundleID(rawValue: item.bundleId ?? "com.example"),
            appAppleID: item.appAppleId,
            environments: [served]
        )
        return try Verifier(roots: try roots ?? .appleRootG3(), apps: [app], clock: { .fixtureNow })
    }
}
