import Foundation
import JWS
import LedgerCore
import StoreSimulator
import Synchronization

/// A simulated App Store and a verifier that trusts it, with a clock that stands where the test puts it.
struct TestBench {
    let chain: TestChain
    let signer: DocumentSigner
    let verifier: Verifier
    let clock: SettableClock

    static let app = ServedApp(
        bundleID: BundleID(rawValue: "com.example.app"),
        appAppleID: 1_234_567_890,
        environments: [.production, .sandbox]
    )

    init(
        apps: [ServedApp] = [app],
        shape: TestChain.Shape = TestChain.Shape(),
        limits: VerifierLimits = VerifierLimits(),
        now: Instant = .fixtureNow
    ) throws {
        chain = try TestChain(shape)
        signer = DocumentSigner(chain: chain)
        let clock = SettableClock(now)
        self.clock = clock
        verifier = try Verifier(
            roots: try TrustedRoots(contents: [chain.root]),
            apps: apps,
            limits: limits,
            clock: { clock.now }
        )
    }

    func verify(_ payload: String, as kind: DocumentKind, tampering: Tampering? = nil) throws -> Verdict<
        VerifiedDocument
    > {
        let bytes = Array(payload.utf8)
        let jws = try tampering.map { try signer.sign(bytes, tampering: $0) } ?? signer.sign(bytes)
        return verifier.verify(jws, as: kind)
    }

    /// A transaction of the app; members may be replaced, or left out with nil.
    static func transaction(_ changes: [String: String?] = [:]) -> String {
        object(
            [
                "transactionId": #""560001100000321""#, "originalTransactionId": #""560001100000300""#,
                "bundleId": #""com.example.app""#, "productId": #""com.example.pro""#, "signedDate": "1777957507000",
                "environment": #""Production""#,
            ].merging(changes) { $1 }
        )
    }

    static func renewalInfo(_ changes: [String: String?] = [:]) -> String {
        object(
            [
                "originalTransactionId": #""560001100000300""#, "autoRenewStatus": "1", "signedDate": "1777957507000",
                "environment": #""Production""#,
            ].merging(changes) { $1 }
        )
    }

    static func appTransaction(_ changes: [String: String?] = [:]) -> String {
        object(
            [
                "appTransactionId": #""704998812345670101""#, "bundleId": #""com.example.app""#,
                "appAppleId": "1234567890", "receiptType": #""Production""#, "receiptCreationDate": "1777957507000",
            ].merging(changes) { $1 }
        )
    }

    /// A notification whose part `data` has these members besides app and environment.
    static func notification(data: [String: String?] = [:], _ changes: [String: String?] = [:]) -> String {
        let part = object(
            [
                "appAppleId": "1234567890", "bundleId": #""com.example.app""#, "environment": #""Production""#,
            ].merging(data) { $1 }
        )
        return object(
            [
                "notificationType": #""DID_RENEW""#, "notificationUUID": #""9782C9C7-7e86-5239-bb46-a043b075cb4b""#,
                "signedDate": "1777957508000", "data": part,
            ].merging(changes) { $1 }
        )
    }

    private static func object(_ members: [String: String?]) -> String {
        let list = members.sorted { $0.key < $1.key }.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
        return "{\(list.joined(separator: ","))}"
    }
}

/// A clock that moves only when it is told to.
final class SettableClock: Sendable {
    private let milliseconds: Atomic<Int64>

    init(_ now: Instant) { milliseconds = Atomic(now.milliseconds) }

    var now: Instant { Instant(milliseconds: milliseconds.load(ordering: .relaxed)) }

    func set(_ now: Instant) { milliseconds.store(now.milliseconds, ordering: .relaxed) }
}
