import LedgerCore
import StoreSimulator
import Testing

@testable import JWS

/// The cache of checked chains: what it saves, and what keeps hostile headers from using it.
struct ChainCacheTests {
    private let transaction = Array(TestBench.transaction().utf8)

    private static func limits(_ change: (inout VerifierLimits) -> Void) -> VerifierLimits {
        var limits = VerifierLimits()
        change(&limits)
        return limits
    }

    /// A header that nobody has seen: the same good certificates, and a member that means nothing.
    private func variant(_ number: Int, of chain: TestChain) throws -> [UInt8] {
        let good = JWSSigner.headerSegment(certificates: [chain.leaf, chain.intermediate, chain.root])
        let header = try #require(Base64.decode(good[...], .url))
        return Base64.encode(Array(#"{"kid":"\#(number)","#.utf8) + header.dropFirst(), .url)
    }

    @Test func `a second document of the same leaf is a hit`() throws {
        let bench = try TestBench()
        for _ in 0..<3 { #expect(try bench.verify(TestBench.transaction(), as: .transaction).rejection == nil) }
        let counters = bench.verifier.chainCacheCounters
        #expect(counters == ChainCacheCounters(hits: 2, misses: 1, denials: 0, entries: 1))
    }

    @Test func `an entry lasts fifteen minutes, and at fifteen it is a miss`() throws {
        let bench = try TestBench()
        let lifetime: Int64 = 15 * 60 * 1_000
        let steps: [(Int64, hits: Int, misses: Int)] = [
            (0, 0, 1), (1_000, 1, 1), (lifetime - 1, 2, 1), (lifetime, 2, 2),
        ]
        for (elapsed, hits, misses) in steps {
            bench.clock.set(.fixtureNow.adding(milliseconds: elapsed))
            #expect(try bench.verify(TestBench.transaction(), as: .transaction).rejection == nil)
            #expect(bench.verifier.chainCacheCounters.hits == hits)
            #expect(bench.verifier.chainCacheCounters.misses == misses)
        }
        #expect(bench.verifier.chainCacheCounters.entries == 1)
    }

    @Test func `another header is a miss, however little it differs`() throws {
        let bench = try TestBench()
        _ = try bench.verify(TestBench.transaction(), as: .transaction).get()
        let jws = try JWSSigner.sign(
            headerSegment: try variant(1, of: bench.chain),
            payload: transaction,
            with: bench.chain.leafKey
        )
        #expect(bench.verifier.verify(jws, as: .transaction).rejection == nil)
        #expect(bench.verifier.chainCacheCounters.misses == 2)
    }

    @Test func `the cache holds a bounded number of chains and drops the one unused longest`() throws {
        let bench = try TestBench(limits: Self.limits { $0.cacheEntriesMax = 3 })
        func verify(_ number: Int) throws {
            let jws = try JWSSigner.sign(
                headerSegment: try variant(number, of: bench.chain),
                payload: transaction,
                with: bench.chain.leafKey
            )
            #expect(bench.verifier.verify(jws, as: .transaction).rejection == nil)
        }
        for number in [1, 2, 3, 1, 4] { try verify(number) }  // 2 is the one unused longest when 4 comes
        #expect(bench.verifier.chainCacheCounters == ChainCacheCounters(hits: 1, misses: 4, denials: 0, entries: 3))
        for number in [1, 3, 4] { try verify(number) }
        #expect(bench.verifier.chainCacheCounters.hits == 4)
        try verify(2)
        #expect(bench.verifier.chainCacheCounters.misses == 5)
    }

    @Test func `a header with which nothing has verified is not kept`() throws {
        let bench = try TestBench()
        let signature = Base64.encode([UInt8](repeating: 7, count: 64), .url)
        for number in 0..<5 {
            let jws = JWSSigner.signingInput(headerSegment: try variant(number, of: bench.chain), payload: transaction)
            let verdict = bench.verifier.verify(jws + Array(".".utf8) + signature, as: .transaction)
            #expect(verdict.rejection?.code == .badSignature)
        }
        #expect(bench.verifier.chainCacheCounters.entries == 0)
    }

    @Test func `a flood of unknown headers is put off, and known ones pass`() throws {
        let bench = try TestBench(
            limits: Self.limits {
                $0.missBurstMax = 4; $0.missesPerSecondMax = 2
            }
        )
        _ = try bench.verify(TestBench.transaction(), as: .transaction).get()
        let stranger = try TestChain()
        func flood(_ number: Int) throws -> RejectionCode? {
            let jws = try JWSSigner.sign(
                headerSegment: try variant(number, of: stranger),
                payload: transaction,
                with: stranger.leafKey
            )
            return bench.verifier.verify(jws, as: .transaction).rejection?.code
        }
        #expect(try (0..<3).map(flood) == [.untrustedRoot, .untrustedRoot, .untrustedRoot])
        #expect(try flood(3) == .verificationUnavailable)
        #expect(RejectionCode.verificationUnavailable.isRetryable)
        #expect(try bench.verify(TestBench.transaction(), as: .transaction).rejection == nil)
        bench.clock.set(.fixtureNow.adding(milliseconds: 1_000))  // two more
        #expect(try (4..<7).map(flood) == [.untrustedRoot, .untrustedRoot, .verificationUnavailable])
        #expect(bench.verifier.chainCacheCounters.denials == 2)
    }

    @Test func `renewing a known header costs no budget`() throws {
        let bench = try TestBench(
            limits: Self.limits {
                $0.missBurstMax = 1; $0.missesPerSecondMax = 0
            }
        )
        for minute in 0..<4 {
            bench.clock.set(.fixtureNow.adding(milliseconds: Int64(minute) * 15 * 60 * 1_000))
            #expect(try bench.verify(TestBench.transaction(), as: .transaction).rejection == nil)
        }
        #expect(bench.verifier.chainCacheCounters.misses == 4)
    }

    @Test func `a header without a chain is refused for that, even in a flood`() throws {
        let bench = try TestBench(
            limits: Self.limits {
                $0.missBurstMax = 0; $0.missesPerSecondMax = 0
            }
        )
        var tampering = Tampering()
        tampering.header = .init(alg: "none")
        let rejection = try bench.verify(TestBench.transaction(), as: .transaction, tampering: tampering).rejection
        #expect(rejection?.code == .algorithmNotAllowed)
    }

    @Test func `many threads share one verifier`() async throws {
        let bench = try TestBench()
        let leaves = try (0..<4).map { _ in DocumentSigner(chain: try bench.chain.withNewLeaf()) }
        let documents = try leaves.map { try $0.sign(transaction) }
        await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<50).count {
                        bench.verifier.verify(documents[($0 + task) % 4], as: .transaction).document != nil
                    }
                }
            }
            for await accepted in group { #expect(accepted == 50) }
        }
        #expect(bench.verifier.chainCacheCounters.entries == 4)
    }
}
