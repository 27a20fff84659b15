import Foundation
import JWS
import LedgerCore
import StoreSimulator
import Testing

/// Roots and apps that can't be used are errors of the configuration, in a sentence.
struct ConfigurationTests {
    private static let app = BundleID(rawValue: "com.example.app")

    private func error(_ apps: [ServedApp]) throws -> VerifierConfigurationError? {
        let roots = try TrustedRoots.appleRootG3()
        do throws(VerifierConfigurationError) {
            _ = try Verifier(roots: roots, apps: apps, clock: { .fixtureNow })
            return nil
        } catch { return error }
    }

    @Test func `apps are checked before anything is served`() throws {
        func app(_ number: Int64?, _ environments: Set<StoreEnvironment>) -> ServedApp {
            ServedApp(bundleID: Self.app, appAppleID: number, environments: environments)
        }
        #expect(try error([app(1, [.production, .sandbox])]) == nil)
        #expect(try error([app(nil, [.sandbox])]) == nil)
        #expect(try error([]) == .noApp)
        #expect(try error([app(nil, [.production])]) == .appAppleIDMissing(Self.app))
        #expect(try error([app(1, [])]) == .environmentNotAllowed(Self.app))
        #expect(try error([app(1, [.production, .xcode])]) == .environmentNotAllowed(Self.app))
        #expect(try error([app(1, [.localTesting])]) == .environmentNotAllowed(Self.app))
        #expect(try error([app(1, [.sandbox]), app(1, [.production])]) == .appNamedTwice(Self.app))
        #expect(
            VerifierConfigurationError.appAppleIDMissing(Self.app).description
                == "The app com.example.app is served in Production; configure its appAppleId."
        )
    }

    @Test(
        arguments: [
            ([], TrustedRootsError.none), (["/nonexistent/root.cer"], .unreadable("/nonexistent/root.cer")),
            ([#filePath], .notACertificate(#filePath)), (["abc"], .unreadable("abc")), (["/"], .unreadable("/")),
        ] as [([String], TrustedRootsError)]
    )
    func `roots that can't be read are named`(_ entries: [String], _ expected: TrustedRootsError) {
        #expect(throws: expected) { try TrustedRoots(entries: entries) }
        #expect(expected.description.hasSuffix("."))
    }

    @Test func `a leaf is no root`() throws {
        let chain = try TestChain()
        #expect(throws: TrustedRootsError.notAnAuthority("number 2")) {
            try TrustedRoots(contents: [chain.root, chain.leaf])
        }
    }

    @Test(arguments: ["63343abf…", "63:34:3A:BF", String(repeating: "zz", count: 32)])
    func `a fingerprint has 64 hexadecimal digits`(_ text: String) {
        #expect(throws: TrustedRootsError.self) { try TrustedRoots(entries: [text]) }
    }

    @Test(SharedFolder.isNeeded) func `a root may be DER, PEM, or a fingerprint with colons`() throws {
        let roots = SharedFolder.url.appending(path: "appstore/roots").path
        let colons = stride(from: 0, to: 64, by: 2).map { start in
            TrustedRoots.appleRootG3Fingerprint.uppercased().dropFirst(start).prefix(2)
        }.joined(separator: ":")
        for entry in ["\(roots)/AppleRootCA-G3.cer", "\(roots)/AppleRootCA-G3.pem", colons] {
            let verifier = try Verifier(
                roots: try TrustedRoots(entries: [entry]),
                apps: [
                    ServedApp(
                        bundleID: BundleID(rawValue: "br.com.goldies.app"),
                        appAppleID: nil,
                        environments: [.sandbox]
                    )
                ],
                clock: { .fixtureNow }
            )
            let text = try SharedFolder.text("appstore/real/24-transaction.jws")
            #expect(verifier.verify(text, as: .transaction).rejection == nil, "\(entry)")
        }
    }

    @Test func `a fingerprint needs the root itself in the chain`() throws {
        let chain = try TestChain()
        let signer = DocumentSigner(chain: chain)
        let payload = Array(TestBench.transaction().utf8)
        let fingerprint = Self.hexadecimal(sha256(chain.root))
        let verifier = try Verifier(
            roots: try TrustedRoots(entries: [fingerprint]),
            apps: [TestBench.app],
            clock: { .fixtureNow }
        )
        #expect(verifier.verify(try signer.sign(payload), as: .transaction).rejection == nil)
        var tampering = Tampering()
        tampering.x5c = .init(entries: [.leaf, .intermediate, .leaf])
        let other = try signer.sign(payload, tampering: tampering)
        #expect(verifier.verify(other, as: .transaction).rejection?.code == .untrustedRoot)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
