import LedgerCore

/// What is kept of a chain that was checked once: all that a further document with the same header needs.
///
/// The App Store's header is the same byte for byte in every document of one leaf, so the header segment itself is
/// the key. Validity is kept as dates and judged for each document at its own signing time.
final class SigningKeyEntry: Sendable {
    /// The header segment, still encoded.
    let header: [UInt8]
    let key: ES256PublicKey
    /// Validity of leaf, intermediate and root.
    let validities: [ClosedRange<Instant>]
    /// The digest after the header segment and the dot.
    let digestAfterHeader: SHA256State
    /// From this moment on the chain is checked anew.
    let expiresAt: Instant

    init(
        header: [UInt8],
        key: ES256PublicKey,
        validities: [ClosedRange<Instant>],
        expiresAt: Instant
    ) {
        self.header = header
        self.key = key
        self.validities = validities
        self.expiresAt = expiresAt
        var state = SHA256State()
        state.update(header[...])
        state.update([UInt8(ascii: ".")])
        digestAfterHeader = state
    }

    /// Whether the signature is the leaf's over the header, a dot, and this payload segment.
    func verifies(signature: [UInt8], payloadSegment: ArraySlice<UInt8>) -> Bool {
        var state = digestAfterHeader
        state.update(payloadSegment)
        return key.verifies(signature: signature, digest: state.finish())
    }
}
