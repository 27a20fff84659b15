import LedgerCore
import Testing

/// The codes of refusals are a contract with their consequences (API.md, "Taking documents in").
struct RejectionTests {
    static let contract: [(code: String, status: Int, isRetryable: Bool)] = [
        ("malformed", 400, false), ("algorithmNotAllowed", 400, false), ("missingChain", 400, false),
        ("chainLength", 400, false), ("invalidCertificate", 400, false), ("invalidChain", 400, false),
        ("leafMarkerMissing", 400, false), ("intermediateMarkerMissing", 400, false),
        ("certificateExpired", 400, false), ("untrustedRoot", 400, false), ("badSignature", 400, false),
        ("bundleMismatch", 400, false), ("appIdMismatch", 400, false), ("environmentMismatch", 400, false),
        ("wrongDocumentKind", 400, false), ("lineUnknown", 400, false), ("deviceMismatch", 400, false),
        ("signedInFuture", 503, true), ("verificationUnavailable", 503, true), ("storeUnavailable", 503, true),
        ("tooLarge", 413, false),
    ]

    @Test(arguments: contract.indices) func `a code has its status and its consequence`(_ index: Int) throws {
        let item = Self.contract[index]
        let code = try #require(RejectionCode(rawValue: item.code))
        #expect(code.httpStatus == item.status)
        #expect(code.isRetryable == item.isRetryable)
    }

    @Test func `there is no code outside the contract`() {
        #expect(RejectionCode.allCases.map(\.rawValue).sorted() == Self.contract.map(\.code).sorted())
    }

    @Test func `a refusal says where and what`() {
        let rejection = Rejection(.badSignature, "It does not verify.")
        #expect(rejection.description == "badSignature: It does not verify.")
        #expect(
            rejection.inside(.signedRenewalInfo).description == "badSignature in signedRenewalInfo: It does not verify."
        )
    }

    @Test func `a verdict gives its document or throws its refusal`() {
        #expect(Verdict.valid(1).document == 1)
        #expect(Verdict.valid(1).rejection == nil)
        let refused = Verdict<Int>.invalid(Rejection(.malformed, "Not JSON."))
        #expect(refused.document == nil)
        #expect(throws: Rejection(.malformed, "Not JSON.")) { try refused.get() }
    }
}
