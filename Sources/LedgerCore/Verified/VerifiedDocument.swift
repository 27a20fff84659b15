/// A document that the App Store signed for one of our apps: chain, signature, app and environment were checked.
///
/// Only the verifier makes one (and tests of what comes after it). Whoever holds a value may rely on the checks of
/// PROTOCOL.md sections 1.2 and 1.7 with the configured roots, apps and environments.
package struct VerifiedDocument: Hashable, Sendable {
    package let kind: DocumentKind
    package let claims: DocumentClaims
    /// The environment it was made in: one that is served for its app.
    package let environment: StoreEnvironment
    /// The compact JWS exactly as it was received: `header.payload.signature` in base64url.
    package let jws: [UInt8]
    /// Which bytes of ``jws`` are the header segment, still encoded and without the dot.
    ///
    /// The App Store repeats it byte for byte in every document of one signing certificate (PROTOCOL.md, appendix C).
    package let headerRange: Range<Int>
    /// The decoded payload: the bytes of a JSON object (of `null` in ``VerifiedNotification/withoutFacts`` only).
    package let payload: [UInt8]
    /// What names the document among all of its kind and environment, from the SHA-256 of ``payload``.
    package let digest: DocumentDigest
    /// The decoded signature: R and S, 32 bytes each, big-endian.
    package let signature: [UInt8]

    package init(
        kind: DocumentKind,
        claims: DocumentClaims,
        environment: StoreEnvironment,
        jws: [UInt8],
        headerRange: Range<Int>,
        payload: [UInt8],
        digest: DocumentDigest,
        signature: [UInt8]
    ) {
        self.kind = kind
        self.claims = claims
        self.environment = environment
        self.jws = jws
        self.headerRange = headerRange
        self.payload = payload
        self.digest = digest
        self.signature = signature
    }

    /// The header segment, still encoded.
    package var headerSegment: ArraySlice<UInt8> { jws[headerRange] }

    /// The payload segment, still encoded.
    package var payloadSegment: ArraySlice<UInt8> {
        let start = headerRange.upperBound + 1
        let end = jws[start...].firstIndex(of: UInt8(ascii: ".")) ?? jws.endIndex
        return jws[start..<end]
    }
}
