/// Why a document was refused, as the problem `code` of the HTTP interface (API.md, "Taking documents in").
///
/// The raw values are a contract. In the order of the checks (PROTOCOL.md sections 1.2 and 1.7) where they have one.
package enum RejectionCode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Not a JWS of three base64url segments with JSON objects in the first two, or a member of the wrong JSON type.
    case malformed
    /// The header's `alg` is not `ES256`.
    case algorithmNotAllowed
    /// The header has no `x5c`, or an empty one.
    case missingChain
    /// `x5c` does not hold exactly three certificates.
    case chainLength
    /// An entry of `x5c` is not base64 of a DER certificate.
    case invalidCertificate
    /// A name, a signature or a CA rule on the path from the leaf to the root is broken.
    case invalidChain
    /// The leaf is not marked as a receipt-signing certificate (1.2.840.113635.100.6.11.1).
    case leafMarkerMissing
    /// The intermediate is not marked as a WWDR intermediate (1.2.840.113635.100.6.2.1).
    case intermediateMarkerMissing
    /// A certificate of the chain was not valid when the document was signed.
    case certificateExpired
    /// The chain is sound and ends in a root that is not configured.
    case untrustedRoot
    /// The signature of the document itself does not verify.
    case badSignature
    /// The document names an app that is not served here, or none.
    case bundleMismatch
    /// A Production document with another `appAppleId` than the configured one, or without it.
    case appIdMismatch
    /// The document names an environment that is not served for its app, or none.
    case environmentMismatch
    /// A document of one kind where another kind is expected.
    case wrongDocumentKind
    /// A lone renewal info of a line that the ledger does not know.
    case lineUnknown
    /// The document was made on another device than the one named.
    case deviceMismatch
    /// Signed more than five minutes ahead of our clock: one of the two clocks is wrong.
    case signedInFuture
    /// The document can't be judged now.
    case verificationUnavailable
    /// The ledger can't store now.
    case storeUnavailable
    /// The document is larger than any that is accepted.
    case tooLarge

    /// Whether the same bytes may be accepted later.
    package var isRetryable: Bool {
        switch self {
        case .signedInFuture, .verificationUnavailable, .storeUnavailable: true
        case .malformed, .algorithmNotAllowed, .missingChain, .chainLength, .invalidCertificate, .invalidChain,
            .leafMarkerMissing, .intermediateMarkerMissing, .certificateExpired, .untrustedRoot, .badSignature,
            .bundleMismatch, .appIdMismatch, .environmentMismatch, .wrongDocumentKind, .lineUnknown, .deviceMismatch,
            .tooLarge:
            false
        }
    }

    /// The HTTP status of the answer: 503 asks the sender to come again, 400 and 413 are final.
    package var httpStatus: Int {
        if self == .tooLarge { return 413 }
        return isRetryable ? 503 : 400
    }
}
