import Foundation
import LedgerCore
import Testing

@testable import JWS

/// The verification cases of Apple's four libraries and of the derived fixtures, under their own configuration.
@Suite("Fixtures: verification", SharedFolder.isNeeded)
struct FixtureVerificationTests {
    struct Case: Decodable, CustomTestStringConvertible {
        struct Configuration: Decodable {
            let roots: [String]
            let bundleId: String
            let appAppleId: Int64
            let environment: StoreEnvironment
        }
        struct Expectation: Decodable {
            let recommended: String
            let fields: [String: Value]?
        }
        let id: String
        let method: String
        let verifier: Configuration
        let expect: Expectation
        let input: String?
        let inputText: String?
        var testDescription: String { "\(id) \(input ?? inputText ?? "")" }
    }

    /// A value of a claim: text, integer, or something that claims do not have.
    enum Value: Decodable, Equatable {
        case text(String), integer(Int64), other
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let integer = try? container.decode(Int64.self) {
                self = .integer(integer)
            } else {
                self = .other
            }
        }
    }

    struct File: Decodable { let verification: [Case] }

    static let cases: [Case] = {
        guard let bytes = try? SharedFolder.bytes("appstore/fixtures/cases.json") else { return [] }
        return (try? JSONDecoder().decode(File.self, from: Data(bytes)).verification) ?? []
    }()

    /// The fixtures' names of outcomes (PROTOCOL.md section 1.9) in our codes.
    ///
    /// `invalidChain` is wider than our code of that name.
    static let codes: [String: Set<RejectionCode>] = [
        "malformed": [.malformed], "unsupportedAlgorithm": [.algorithmNotAllowed], "missingChain": [.missingChain],
        "invalidChainLength": [.chainLength], "invalidCertificate": [.invalidCertificate],
        "invalidChain": [
            .invalidChain, .untrustedRoot, .certificateExpired, .leafMarkerMissing, .intermediateMarkerMissing,
        ],
        "badSignature": [.badSignature], "invalidAppIdentifier": [.bundleMismatch, .appIdMismatch],
        "invalidEnvironment": [.environmentMismatch],
    ]

    /// Which of our narrower codes a case gets, where its outcome allows several.
    static let narrower: [String: RejectionCode] = [
        "A03": .appIdMismatch, "A04": .bundleMismatch, "A06": .bundleMismatch, "A06p": .bundleMismatch,
        "A08": .bundleMismatch, "D13": .invalidChain, "D19": .leafMarkerMissing, "D20": .intermediateMarkerMissing,
        "D21": .untrustedRoot, "D22": .untrustedRoot, "D23": .invalidChain, "D25": .certificateExpired,
        "D26": .certificateExpired, "D31": .certificateExpired, "D37": .appIdMismatch, "D38": .appIdMismatch,
        "D45": .bundleMismatch, "T06": .certificateExpired, "T07": .leafMarkerMissing,
        "T08": .intermediateMarkerMissing, "T09": .untrustedRoot,
    ]

    @Test func `there are 74 cases`() { #expect(Self.cases.count == 74) }

    @Test(arguments: cases) func `has the recommended outcome`(_ item: Case) throws {
        // D27 is signed in 2030. Libraries accept it; we do when 2030 has come (see the test below).
        let now: Instant = item.id == "D27" ? .year2031 : .fixtureNow
        let verdict = try Self.verify(item, now: now)
        switch (item.expect.recommended, verdict) {
        case ("valid", .valid(let document)):
            for (name, value) in item.expect.fields ?? [:] {
                guard let claim = Self.claim(name, of: document.claims) else { continue }
                #expect(claim == value, "\(name)")
            }
        case ("valid", .invalid(let rejection)): Issue.record("refused: \(rejection)")
        case (let outcome, .valid): Issue.record("accepted, expected \(outcome)")
        case (let outcome, .invalid(let rejection)):
            #expect(Self.codes[outcome]?.contains(rejection.code) == true, "\(rejection) for \(outcome)")
            if let code = Self.narrower[item.id] { #expect(rejection.code == code) }
        }
    }

    @Test func `a document signed in 2030 is put off until then`() throws {
        let item = try #require(Self.cases.first { $0.id == "D27" })
        #expect(try Self.verify(item, now: .fixtureNow).rejection?.code == .signedInFuture)
    }

    @Test func `a forged transaction inside a valid notification refuses the whole`() throws {
        let item = try #require(Self.cases.first { $0.id == "D34" })
        let verifier = try Self.verifier(item.verifier, now: .fixtureNow)
        let rejection = try verifier.verifyNotification(Self.text(item)).rejection
        #expect(rejection?.code == .badSignature)
        #expect(rejection?.document == .signedTransactionInfo)
    }

    @Test(arguments: ["D32", "D33", "D43"]) func `documents inside are verified too`(_ id: String) throws {
        let item = try #require(Self.cases.first { $0.id == id })
        let verifier = try Self.verifier(item.verifier, now: .fixtureNow)
        let notification = try verifier.verifyNotification(Self.text(item)).get()
        #expect(notification.inner.map(\.kind).contains(id == "D43" ? .appTransaction : .transaction))
        #expect(notification.inner.allSatisfy { $0.environment == notification.notification.environment })
    }

    private static func text(_ item: Case) throws -> [UInt8] {
        if let text = item.inputText { return Array(text.utf8) }
        return try SharedFolder.text("appstore/fixtures/\(item.input ?? "")")
    }

    private static func verify(_ item: Case, now: Instant) throws -> Verdict<VerifiedDocument> {
        let kind = try #require(DocumentKind(rawValue: item.method))
        return try verifier(item.verifier, now: now).verify(try text(item), as: kind)
    }

    private static func verifier(_ item: Case.Configuration, now: Instant) throws -> Verifier {
        let roots = try TrustedRoots(contents: item.roots.map { try SharedFolder.bytes("appstore/fixtures/\($0)") })
        let app = ServedApp(
            bundleID: BundleID(rawValue: item.bundleId),
            appAppleID: item.appAppleId,
            environments: [item.environment]
        )
        switch item.environment {
        case .production, .sandbox: return try Verifier(roots: roots, apps: [app], clock: { now })
        // What no configuration can reach: Apple's rule for data that nobody signed.
        case .xcode, .localTesting: return try Verifier(unsigned: app, roots: roots, clock: { now })
        }
    }

    private static func claim(_ name: String, of claims: DocumentClaims) -> Value? {
        func text(_ value: String?) -> Value { value.map(Value.text) ?? .other }
        return switch name {
        case "transactionId": text(claims.transactionID?.rawValue)
        case "originalTransactionId": text(claims.originalTransactionID?.rawValue)
        case "bundleId": text(claims.bundleID?.rawValue)
        case "appTransactionId": text(claims.appTransactionID?.rawValue)
        case "appAccountToken": text(claims.appAccountToken?.rawValue)
        case "environment", "receiptType": text(claims.environment?.rawValue)
        case "signedDate", "receiptCreationDate": claims.signedAt.map { .integer($0.milliseconds) } ?? .other
        case "notificationType": text(claims.notification?.type)
        case "subtype": text(claims.notification?.subtype)
        case "deviceVerification": text(claims.device?.verification)
        case "deviceVerificationNonce": text(claims.device?.nonce)
        default: nil
        }
    }
}
