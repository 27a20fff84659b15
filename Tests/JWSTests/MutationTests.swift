import JWS
import LedgerCore
import StoreSimulator
import Testing

/// Seeded mutations of good documents: never a crash, never a changed byte accepted.
struct MutationTests {
    static let seeds: [UInt64] = Array(1...24)

    /// One way to spoil a text.
    private enum Mutation: CaseIterable {
        case flipBit, replaceByte, swapNeighbours, deleteByte, insertByte, cut, doubleRange, removeRange

        func callAsFunction(_ text: [UInt8], using random: inout SplitMix64) -> [UInt8] {
            var text = text
            let index = Int.random(in: 0..<text.count, using: &random)
            let end = min(text.count, index + Int.random(in: 1...40, using: &random))
            switch self {
            case .flipBit: text[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case .replaceByte: text[index] = UInt8.random(in: 0...255, using: &random)
            case .swapNeighbours: text.swapAt(index, min(index + 1, text.count - 1))
            case .deleteByte: text.remove(at: index)
            case .insertByte: text.insert(UInt8.random(in: 0...255, using: &random), at: index)
            case .cut: text.removeSubrange(index...)
            case .doubleRange: text.insert(contentsOf: text[index..<end], at: index)
            case .removeRange: text.removeSubrange(index..<end)
            }
            return text
        }
    }

    @Test(arguments: seeds) func `a changed document is never accepted`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        // A budget that does not end: each changed header is judged.
        var limits = VerifierLimits()
        limits.missBurstMax = 10_000
        let bench = try TestBench(limits: limits)
        let body = Array(
            TestBench.notification(data: [
                "transactionInfo": TestBench.transaction(), "renewalInfo": TestBench.renewalInfo(),
            ])
            .utf8
        )
        let good = try NotificationSigner(signer: bench.signer).sign(body)
        _ = try bench.verifier.verifyNotification(good).get()
        for _ in 0..<60 {
            let mutation = try #require(Mutation.allCases.randomElement(using: &random))
            var changed = mutation(good, using: &random)
            if Bool.random(using: &random), !changed.isEmpty { changed = mutation(changed, using: &random) }
            guard changed != good else { continue }
            let verdict = bench.verifier.verifyNotification(changed)
            #expect(verdict.rejection != nil, "seed \(seed), \(mutation)")
        }
    }

    @Test(arguments: seeds) func `a changed payload of a good signature chain is judged without a crash`(
        _ seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let bench = try TestBench()
        let good = Array(TestBench.notification(data: ["signedTransactionInfo": #""a.b.c""#]).utf8)
        for _ in 0..<60 {  // signed after the change, so that the readers behind the signature see it
            let mutation = try #require(Mutation.allCases.randomElement(using: &random))
            let changed = mutation(good, using: &random)
            let jws = try bench.signer.sign(changed)
            switch bench.verifier.verify(jws, as: .notification) {
            case .valid(let document): #expect(document.payload == changed, "seed \(seed)")
            case .invalid(let rejection): #expect(!rejection.detail.isEmpty, "seed \(seed)")
            }
        }
    }

    @Test(arguments: seeds) func `random bytes are refused`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let bench = try TestBench()
        let alphabet = Array("{}[]\",:.\\eyJhbGciOiJFUzI1NiJ9-_=+/0123456789 \u{0}ÿ".utf8)
        for _ in 0..<200 {
            let count = Int.random(in: 0...200, using: &random)
            let text = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            #expect(bench.verifier.verify(text, as: .transaction).document == nil, "seed \(seed)")
        }
    }

    @Test(arguments: [
        "", ".", "..", "...", "a.b", "a.b.c", "e30.e30.", "e30.e30.AA", "e30.e30.AA.", ".e30.AA", "e30..AA", "=.=.=",
        " e30.e30.AA", "e30.e30.AA\n",
    ])
    func `a text that is no JWS is malformed or lacks its algorithm`(_ text: String) throws {
        let code = try TestBench().verifier.verify(Array(text.utf8), as: .transaction).rejection?.code
        #expect(
            code == (["e30.e30.", "e30.e30.AA", "e30.e30.AA\n"].contains(text) ? .algorithmNotAllowed : .malformed)
        )
    }

    @Test func `a document beyond the limit is too large`() throws {
        var limits = VerifierLimits()
        limits.jwsBytesMax = 1_000
        let bench = try TestBench(limits: limits)
        let rejection = try bench.verify(TestBench.transaction(), as: .transaction).rejection
        #expect(rejection?.code == .tooLarge)
        #expect(rejection?.code.httpStatus == 413)
    }
}
