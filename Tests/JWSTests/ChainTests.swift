import JWS
import LedgerCore
import StoreSimulator
import Testing

/// Chains and headers that deviate in one point, and the code that each gets.
struct ChainTests {
    private static func shape(_ change: (inout TestChain.Shape) -> Void) -> TestChain.Shape {
        var shape = TestChain.Shape()
        change(&shape)
        return shape
    }

    private static let before = Instant(milliseconds: 1_577_836_800_000)...Instant(milliseconds: 1_700_000_000_000)

    @Test(arguments: [
        (shape { _ in }, nil),
        (shape { $0.leafMarkers = [] }, RejectionCode.leafMarkerMissing),
        (shape { $0.leafMarkers = [.developerRelations] }, .leafMarkerMissing),
        (shape { $0.intermediateMarkers = [] }, .intermediateMarkerMissing),
        (shape { $0.intermediateIsAuthority = false }, .invalidChain),
        (shape { $0.rootPathLength = 0 }, .invalidChain),
        (shape { $0.rootPathLength = 1 }, nil),
        (shape { $0.leafValidity = before }, .certificateExpired),
        (shape { $0.validity = before }, .certificateExpired),
        // The order of the protocol: path, dates, CA rules, leaf, intermediate.
        (
            shape {
                $0.leafValidity = before; $0.leafMarkers = []
            }, .certificateExpired
        ),
        (
            shape {
                $0.rootPathLength = 0; $0.leafMarkers = []
            }, .invalidChain
        ),
        (
            shape {
                $0.leafMarkers = []; $0.intermediateMarkers = []
            }, .leafMarkerMissing
        ),
    ])
    func `each deviation of a chain has its code`(_ shape: TestChain.Shape, _ code: RejectionCode?) throws {
        let bench = try TestBench(shape: shape)
        #expect(try bench.verify(TestBench.transaction(), as: .transaction).rejection?.code == code)
    }

    @Test func `a chain to another root of the same name is untrusted`() throws {
        let bench = try TestBench()
        let stranger = DocumentSigner(chain: try TestChain())
        let jws = try stranger.sign(Array(TestBench.transaction().utf8))
        #expect(bench.verifier.verify(jws, as: .transaction).rejection?.code == .untrustedRoot)
    }

    @Test func `a chain that shows the trusted root without its signature is invalid`() throws {
        let bench = try TestBench()
        let stranger = try TestChain()
        let header = JWSSigner.headerSegment(certificates: [stranger.leaf, stranger.intermediate, bench.chain.root])
        let jws = try JWSSigner.sign(
            headerSegment: header,
            payload: Array(TestBench.transaction().utf8),
            with: stranger.leafKey
        )
        #expect(bench.verifier.verify(jws, as: .transaction).rejection?.code == .invalidChain)
    }

    @Test func `a leaf of another intermediate of the same name is invalid`() throws {
        let bench = try TestBench()
        let stranger = try TestChain()
        let header = JWSSigner.headerSegment(certificates: [stranger.leaf, bench.chain.intermediate, bench.chain.root])
        let jws = try JWSSigner.sign(
            headerSegment: header,
            payload: Array(TestBench.transaction().utf8),
            with: stranger.leafKey
        )
        #expect(bench.verifier.verify(jws, as: .transaction).rejection?.code == .invalidChain)
    }

    @Test func `a leaf that can't sign with ES256 proves nothing`() throws {
        let keys = try [SigningKey.Curve.p384, .p256, .p256].map { try SigningKey(generating: $0) }
        func certificate(_ place: Int, marker: ObjectIdentifierText?) throws -> [UInt8] {
            let names = ["Leaf", "Intermediate", "Root", "Root"]
            return try CertificateTemplate(
                commonName: names[place],
                issuerCommonName: names[place + 1],
                serialNumber: 1,
                validity: TestChain.Shape.from2020To2040,
                isAuthority: place > 0,
                markers: marker.map { [$0] } ?? []
            ).certificate(for: keys[place], signedBy: keys[min(place + 1, 2)])
        }
        let chain = try [
            certificate(0, marker: .receiptSigning), certificate(1, marker: .developerRelations),
            certificate(2, marker: nil),
        ]
        let verifier = try Verifier(
            roots: try TrustedRoots(contents: [chain[2]]),
            apps: [TestBench.app],
            clock: { .fixtureNow }
        )
        let jws = JWSSigner.signingInput(
            headerSegment: JWSSigner.headerSegment(certificates: chain),
            payload: Array(TestBench.transaction().utf8)
        )
        let signature = Base64.encode([UInt8](repeating: 1, count: 64), .url)
        let rejection = verifier.verify(jws + Array(".".utf8) + signature, as: .transaction).rejection
        #expect(rejection?.code == .badSignature)
        #expect(rejection?.detail.contains("P-256") == true)
    }

    @Test(arguments: [
        (#"{}"#, RejectionCode.algorithmNotAllowed), (#"{"alg":"none"}"#, .algorithmNotAllowed),
        (#"{"alg":"es256"}"#, .algorithmNotAllowed), (#"{"alg":["ES256"]}"#, .algorithmNotAllowed),
        (#"{"alg":"RS256","x5c":["a"]}"#, .algorithmNotAllowed),
        (#"{"alg":"ES256"}"#, .missingChain), (#"{"alg":"ES256","x5c":[]}"#, .missingChain),
        (#"{"alg":"ES256","x5c":"a"}"#, .missingChain), (#"{"alg":"ES256","x5c":null}"#, .missingChain),
        (#"{"alg":"ES256","x5c":["a"]}"#, .chainLength), (#"{"alg":"ES256","x5c":["a","b","c","d"]}"#, .chainLength),
        (#"{"alg":"ES256","x5c":[1,2,3]}"#, .invalidCertificate),
        (#"{"alg":"ES256","x5c":["YWJj","YWJj","YWJj"]}"#, .invalidCertificate),
        (#"{"alg":"ES256","alg":"ES256"}"#, .malformed), (#"{"alg":"ES256","crit":["b64"],"b64":false}"#, .malformed),
        (#"[]"#, .malformed), (#"null"#, .malformed), (#"{"alg":"ES256",}"#, .malformed),
    ])
    func `each deviation of a header has its code`(_ header: String, _ code: RejectionCode) throws {
        let bench = try TestBench()
        let jws = try JWSSigner.sign(
            headerSegment: Base64.encode(Array(header.utf8), .url),
            payload: Array(TestBench.transaction().utf8),
            with: bench.chain.leafKey
        )
        #expect(bench.verifier.verify(jws, as: .transaction).rejection?.code == code)
    }

    @Test func `a certificate with a byte behind it is invalid`() throws {
        let bench = try TestBench()
        let chain = bench.chain
        let header = JWSSigner.headerSegment(certificates: [chain.leaf + [0], chain.intermediate, chain.root])
        let jws = try JWSSigner.sign(
            headerSegment: header,
            payload: Array(TestBench.transaction().utf8),
            with: chain.leafKey
        )
        #expect(bench.verifier.verify(jws, as: .transaction).rejection?.code == .invalidCertificate)
    }

    @Test func `the third certificate is not looked at when the root is configured`() throws {
        let bench = try TestBench()
        let chain = bench.chain
        let header = JWSSigner.headerSegment(certificates: [chain.leaf, chain.intermediate, Array("rubbish".utf8)])
        let jws = try JWSSigner.sign(
            headerSegment: header,
            payload: Array(TestBench.transaction().utf8),
            with: chain.leafKey
        )
        #expect(bench.verifier.verify(jws, as: .transaction).rejection == nil)
    }

    @Test func `validity includes its first and last moment`() throws {
        let first = Instant(milliseconds: 1_700_000_000_000)
        let last = Instant(milliseconds: 1_770_000_000_000)
        let bench = try TestBench(shape: Self.shape { $0.leafValidity = first...last })
        let expectations: [(Instant, RejectionCode?)] = [
            (first.adding(milliseconds: -1), .certificateExpired), (first, nil), (last, nil),
            (last.adding(milliseconds: 1), .certificateExpired),
        ]
        for (instant, code) in expectations {  // in this order: the second to fourth judge a chain from the cache
            let payload = TestBench.transaction(["signedDate": "\(instant.milliseconds)"])
            #expect(try bench.verify(payload, as: .transaction).rejection?.code == code)
        }
    }

    @Test func `a document without a signing time is judged now`() throws {
        let bench = try TestBench(shape: Self.shape { $0.leafValidity = Self.before })
        let payload = TestBench.transaction(["signedDate": nil])
        #expect(try bench.verify(payload, as: .transaction).rejection?.code == .certificateExpired)
        bench.clock.set(Self.before.upperBound)
        #expect(try bench.verify(payload, as: .transaction).rejection == nil)
    }
}
