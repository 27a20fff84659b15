/// The maxima of a verifier.
package struct VerifierLimits: Hashable, Sendable {
    /// A longer JWS is `tooLarge`; real notifications have up to 19 kB.
    package var jwsBytesMax = 512 * 1024
    /// A longer header segment is malformed; the App Store's has 4.4 kB.
    package var headerBytesMax = 32 * 1024
    /// Chains that are kept; Apple uses a handful of leaves at a time.
    package var cacheEntriesMax = 32
    /// After this many milliseconds a chain is checked anew; exactly then it is a miss (PROTOCOL.md section 1.6).
    package var cacheEntryLifetimeMilliseconds: Int64 = 15 * 60 * 1_000
    /// Chains of unknown headers that may be checked at once.
    package var missBurstMax = 64
    /// Chains of unknown headers that may be checked in a second: 7 % of a core at 1.1 ms each.
    package var missesPerSecondMax = 64
    /// How far ahead of our clock a signing time may lie (API.md, `signedInFuture`).
    package var clockLeadMaxMilliseconds: Int64 = 5 * 60 * 1_000

    package init() {}
}
