import Foundation
import JWS
import LedgerCore
import StoreSimulator
import Testing

/// The field cases about data that must be refused (C32 to C37), signed and spoiled as each case says.
@Suite("Field cases: verification", SharedFolder.isNeeded)
struct FieldCaseTests {
    static let cases: [(file: String, code: RejectionCode, document: Rejection.Document)] = [
        ("C32-alg-none", .algorithmNotAllowed, .outer),
        ("C33-chain-of-two", .chainLength, .outer),
        ("C34-leaf-without-marker", .leafMarkerMissing, .outer),
        ("C35-leaf-expired-before-signing", .certificateExpired, .outer),
        ("C36-inner-bundle-mismatch", .bundleMismatch, .signedTransactionInfo),
        ("C37-xcode-environment", .environmentMismatch, .outer),
    ]

    /// The part of a step that says how it is spoiled; its payload is taken as bytes.
    struct Step: Decodable {
        let kind: String
        let tamper: Tampering?
    }
    struct File: Decodable { let given: [Step] }

    @Test(arguments: cases.indices) func `is refused for good, with the reason of the case`(_ index: Int) throws {
        let item = Self.cases[index]
        let file = try SharedFolder.bytes("cases/dev/\(item.file).json")
        let step = try #require(try JSONDecoder().decode(File.self, from: Data(file)).given.first)
        let rejection = try Self.judge(step.kind, payload: try Self.payload(of: file), tampering: step.tamper)
        #expect(rejection?.code == item.code)
        #expect(rejection?.document == item.document)
        #expect(rejection?.code.isRetryable == false)
    }

    @Test(arguments: cases.indices.filter { cases[$0].code != .bundleMismatch && !cases[$0].file.hasPrefix("C37") })
    func `the same payload is accepted when it is not spoiled`(_ index: Int) throws {
        let file = try SharedFolder.bytes("cases/dev/\(Self.cases[index].file).json")
        let step = try #require(try JSONDecoder().decode(File.self, from: Data(file)).given.first)
        #expect(try Self.judge(step.kind, payload: try Self.payload(of: file), tampering: nil) == nil)
    }

    private static func judge(_ kind: String, payload: [UInt8], tampering: Tampering?) throws -> Rejection? {
        let app = ServedApp(
            bundleID: BundleID(rawValue: "com.example.app"),
            appAppleID: 1_234_567_890,
            environments: [.production]
        )
        let bench = try TestBench(apps: [app])
        guard kind == "notification" else {
            let jws = try tampering.map { try bench.signer.sign(payload, tampering: $0) } ?? bench.signer.sign(payload)
            return bench.verifier.verify(jws, as: .transaction).rejection
        }
        let jws = try NotificationSigner(signer: bench.signer).sign(payload, tampering: tampering)
        return bench.verifier.verifyNotification(jws).rejection
    }

    /// The bytes of the first step's payload, as they stand in the file.
    private static func payload(of file: [UInt8]) throws -> [UInt8] {
        var scanner = JSONScanner(file)
        var found: [UInt8] = []
        try scanner.readObject { scanner, name throws(JSONSyntaxError) in
            guard scanner.holds("given", at: name) else { return try scanner.skipValue() }
            try scanner.readArray { scanner throws(JSONSyntaxError) in
                try scanner.readObject { scanner, name throws(JSONSyntaxError) in
                    _ = scanner.peek()
                    let start = scanner.offset
                    try scanner.skipValue()
                    if scanner.holds("payload", at: name), found.isEmpty {
                        found = Array(file[start..<scanner.offset])
                    }
                }
            }
        }
        return found
    }
}
