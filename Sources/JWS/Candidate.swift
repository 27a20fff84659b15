import LedgerCore

/// A document that was taken apart and not yet judged (PROTOCOL.md 1.2, steps 1 and 2).
struct Candidate {
    let claims: DocumentClaims
    /// Whether the payload is `null`: no claims at all.
    let isNull: Bool
    private let segments: CompactJWS
    private let payload: [UInt8]
    private let looksLike: KindEvidence
    /// R and S, once the signature was looked at.
    private var signature: [UInt8] = []

    /// Takes a document apart; a payload of `null` is malformed unless it is allowed.
    init(
        _ jws: [UInt8],
        as kind: DocumentKind,
        limits: VerifierLimits,
        allowsNull: Bool = false
    ) throws(Rejection) {
        guard jws.count <= limits.jwsBytesMax else {
            throw Rejection(.tooLarge, "A document may have \(limits.jwsBytesMax) bytes.")
        }
        segments = try CompactJWS(jws)
        guard segments.header.count <= limits.headerBytesMax else {
            throw Rejection(.malformed, "A header segment may have \(limits.headerBytesMax) bytes.")
        }
        payload = try segments.decodePayload()
        isNull = allowsNull && payload.elementsEqual("null".utf8)
        guard !isNull else {
            claims = DocumentClaims(kind: kind)
            looksLike = []
            return
        }
        do throws(JSONSyntaxError) {
            let reader = try ClaimsReader(payload, as: kind)
            claims = reader.claims
            looksLike = reader.looksLike
        } catch {
            throw Rejection(.malformed, "The payload can't be read: \(error).")
        }
    }

    /// The header segment, still encoded.
    var headerSegment: ArraySlice<UInt8> { segments.text[segments.header] }

    /// Steps 2 (the header), 4 and 5.
    ///
    /// - Returns: the three entries of `x5c`.
    func certificateEntries() throws(Rejection) -> [[UInt8]?] {
        let header = try JWSHeader(try segments.decodeHeader())
        // StoreKit Testing in Xcode signs with one certificate of its own. For its transactions the environment is
        // the useful thing to say (case C37); app transactions have none and get the chain's length (fixture A15).
        if header.hasSingleCertificate, claims.kind != .appTransaction, claims.environment.isUnsigned {
            throw Rejection(
                .environmentMismatch,
                "The document was signed by a development tool, not by the App Store."
            )
        }
        return try header.certificateEntries()
    }

    /// Step 9: the signature over the header and payload segments.
    mutating func checkSignature(with entry: SigningKeyEntry) throws(Rejection) {
        signature = try segments.decodeSignature()
        guard entry.verifies(signature: signature, payloadSegment: segments.text[segments.payload]) else {
            throw Rejection(.badSignature, "The signature does not belong to this header and payload.")
        }
    }

    /// Refuses a payload that is clearly of another kind: it has members that only another kind has.
    ///
    /// A notification in the place of a transaction is left to the app check, which it fails (fixture A04).
    func checkKind() throws(Rejection) {
        guard !looksLike.isEmpty, !looksLike.contains(KindEvidence(claims.kind)) else { return }
        if claims.kind == .transaction, looksLike == .notification { return }
        throw Rejection(.wrongDocumentKind, "The document is of another kind than \(claims.kind.rawValue).")
    }

    /// The document, once all checks are passed.
    func verified(in environment: StoreEnvironment) -> VerifiedDocument {
        VerifiedDocument(
            kind: claims.kind,
            claims: claims,
            environment: environment,
            jws: segments.text,
            headerRange: segments.header,
            payload: payload,
            digest: SHA256State.documentDigest(of: payload),
            signature: signature
        )
    }
}

extension StoreEnvironment? {
    /// An environment that the App Store does not sign for.
    fileprivate var isUnsigned: Bool { self == .xcode || self == .localTesting }
}
