import Foundation
import LedgerCore
import StoreSimulator
import Testing

@testable import JWS

/// The chain cases: certificates given directly, judged at a fixed instant.
@Suite("Fixtures: chains", SharedFolder.isNeeded)
struct FixtureChainTests {
    struct Case: Decodable, CustomTestStringConvertible {
        let id: String
        let x5c: [String]
        let roots: [String]
        let effectiveSeconds: Int64
        let expect: String
        let leafSpki: String?
        var testDescription: String { "\(id) \(expect)" }
    }
    struct File: Decodable { let chain: [Case] }

    static let cases: [Case] = {
        guard let bytes = try? SharedFolder.bytes("appstore/fixtures/cases.json") else { return [] }
        return (try? JSONDecoder().decode(File.self, from: Data(bytes)).chain) ?? []
    }()

    /// What `invalidChain` is in our codes, case by case.
    static let narrower: [String: RejectionCode] = [
        "H02": .intermediateMarkerMissing, "H03": .leafMarkerMissing, "H09": .untrustedRoot,
        "H10": .certificateExpired,
    ]

    @Test func `there are 13 cases`() { #expect(Self.cases.count == 13) }

    @Test(arguments: cases) func `has the expected outcome`(_ item: Case) throws {
        let entries = try item.x5c.map { try Self.bytes($0, asEntry: true) }
        let contents = try item.roots.map { try Self.bytes($0, asEntry: false) }
        if item.expect == "configurationError" {
            #expect(throws: TrustedRootsError.self) { try TrustedRoots(contents: contents) }
            return
        }
        let roots = try TrustedRoots(contents: contents)
        let rejection = Self.judge(entries, roots: roots, at: Instant(milliseconds: item.effectiveSeconds * 1_000))
        switch item.expect {
        case "valid": #expect(rejection == nil)
        case "invalidChainLength": #expect(rejection?.code == .chainLength)
        case "invalidCertificate": #expect(rejection?.code == .invalidCertificate)
        case "invalidChain": #expect(rejection?.code == Self.narrower[item.id])
        // H12 and H13 are about the cache: ChainCacheTests. Their chains themselves are judged here.
        case "cache": #expect(rejection?.code == (item.id == "H12" ? nil : .invalidChain))
        default: Issue.record("unknown expectation \(item.expect)")
        }
    }

    /// Judges a list of entries as the verifier does, through a header.
    private static func judge(_ entries: [[UInt8]], roots: TrustedRoots, at instant: Instant) -> Rejection? {
        let list = entries.map { "\"\(String(decoding: $0, as: UTF8.self))\"" }.joined(separator: ",")
        do throws(Rejection) {
            let header = try JWSHeader(Array(#"{"alg":"ES256","x5c":[\#(list)]}"#.utf8))
            let chain = try CertificateChain(try header.certificateEntries(), trusting: roots)
            try chain.checkValidity(at: instant)
            try chain.checkRules()
            return nil
        } catch { return error }
    }

    /// A certificate file, `text:` as it is, or `base64:` of other bytes; as an entry of x5c, or as bytes.
    private static func bytes(_ name: String, asEntry: Bool) throws -> [UInt8] {
        if name.hasPrefix("text:") { return Array(name.dropFirst(5).utf8) }
        if name.hasPrefix("base64:") {
            let text = Array(name.dropFirst(7).utf8)
            return asEntry ? text : try #require(Base64.decode(text[...], .standard))
        }
        let bytes = try SharedFolder.bytes("appstore/fixtures/\(name)")
        return asEntry ? Base64.encode(bytes, .standard) : bytes
    }
}
