package import LedgerCore

/// Decides whether signed documents come from the App Store and belong to a served app.
///
/// The rules are PROTOCOL.md sections 1.2, 1.4 and 1.7, without online checks. Any number of threads may use one
/// verifier. The checks run in the order of the protocol, and the first that fails gives the code.
package final class Verifier: Sendable {
    private let roots: TrustedRoots
    private let policy: AppPolicy
    private let limits: VerifierLimits
    private let clock: @Sendable () -> Instant
    private let cache: ChainCache
    /// Whether chain and signature are checked; false only for the tests of Apple's unsigned Xcode data.
    private let requiresSignature: Bool

    /// A verifier of documents for these apps, under these roots.
    ///
    /// The clock tells the present: it judges documents without a signing time, and those from the future. What is
    /// wrong with the apps is thrown, as a sentence.
    package convenience init(
        roots: TrustedRoots,
        apps: [ServedApp],
        limits: VerifierLimits = VerifierLimits(),
        clock: @escaping @Sendable () -> Instant
    ) throws(VerifierConfigurationError) {
        let policy = try AppPolicy(apps, allowed: [.production, .sandbox])
        self.init(roots: roots, policy: policy, limits: limits, requiresSignature: true, clock: clock)
    }

    /// A verifier as Apple's libraries have it for Xcode and LocalTesting: the signature is not looked at.
    ///
    /// Internal, so that only this module's tests can make one and no configuration can (PROTOCOL.md section 1.8).
    convenience init(
        unsigned app: ServedApp,
        roots: TrustedRoots,
        clock: @escaping @Sendable () -> Instant
    ) throws(VerifierConfigurationError) {
        let policy = try AppPolicy([app], allowed: [.xcode, .localTesting])
        self.init(roots: roots, policy: policy, limits: VerifierLimits(), requiresSignature: false, clock: clock)
    }

    private init(
        roots: TrustedRoots,
        policy: AppPolicy,
        limits: VerifierLimits,
        requiresSignature: Bool,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.roots = roots
        self.policy = policy
        self.limits = limits
        self.requiresSignature = requiresSignature
        self.clock = clock
        cache = ChainCache(limits: limits)
    }

    /// How the cache of chains has done.
    package var chainCacheCounters: ChainCacheCounters { cache.counters }

    /// Judges one document on its own.
    ///
    /// Whether a valid document has what its facts need is a separate question: ``DocumentClaims/missingMember``.
    /// Documents inside a notification are not looked at: ``verifyNotification(_:)``.
    /// - Parameters:
    ///   - jws: compact JWS text, without blanks around it.
    ///   - kind: what the document must be.
    /// - Returns: the document, or the first check that it failed.
    package func verify(_ jws: [UInt8], as kind: DocumentKind) -> Verdict<VerifiedDocument> {
        do throws(Rejection) {
            var candidate = try Candidate(jws, as: kind, limits: limits)
            try checkSignature(of: &candidate, defaultInstant: nil)
            return .valid(try checkPayload(of: candidate))
        } catch {
            return .invalid(error)
        }
    }

    /// Judges a notification and every document inside it; one bad document inside refuses the whole.
    ///
    /// - Parameter signedPayload: compact JWS text, without blanks around it.
    /// - Returns: the notification with its documents, or the first check that it or one of them failed.
    package func verifyNotification(_ signedPayload: [UInt8]) -> Verdict<VerifiedNotification> {
        let notification: VerifiedDocument
        switch verify(signedPayload, as: .notification) {
        case .valid(let document): notification = document
        case .invalid(let rejection): return .invalid(rejection)
        }
        var inner: [VerifiedDocument] = []
        var withoutFacts: [InnerDocument] = []
        for document in notification.claims.notification?.inner ?? [] {
            do throws(Rejection) {
                if let verified = try verify(document, inside: notification) {
                    inner.append(verified)
                } else {
                    withoutFacts.append(document)
                }
            } catch {
                return .invalid(error.inside(document.place))
            }
        }
        return .valid(VerifiedNotification(notification: notification, inner: inner, withoutFacts: withoutFacts))
    }

    /// Judges a document inside a notification: on its own, and that it is of the same app and environment.
    ///
    /// - Returns: nil for a well-signed document that carries no facts.
    private func verify(
        _ document: InnerDocument,
        inside notification: VerifiedDocument
    ) throws(Rejection) -> VerifiedDocument? {
        var candidate = try Candidate(document.text, as: document.kind, limits: limits, allowsNull: true)
        // A payload of null has no signing time; it was signed before the notification that holds it.
        try checkSignature(of: &candidate, defaultInstant: notification.claims.signedAt)
        if candidate.isNull { return nil }
        let verified = try checkPayload(of: candidate)
        guard verified.kind == .renewalInfo || verified.claims.bundleID == notification.claims.bundleID else {
            throw Rejection(.bundleMismatch, "The document belongs to another app than the notification.")
        }
        guard verified.environment == notification.environment else {
            throw Rejection(.environmentMismatch, "The document was made in another environment than the notification.")
        }
        return verified.claims.missingMember == nil ? verified : nil
    }
}

extension Verifier {
    /// Steps 4 to 9: algorithm, chain, dates, signature.
    private func checkSignature(of candidate: inout Candidate, defaultInstant: Instant?) throws(Rejection) {
        guard requiresSignature else { return }
        let now = clock()
        let instant = candidate.claims.signedAt ?? defaultInstant ?? now
        switch cache.find(candidate.headerSegment, at: now) {
        case .hit(let entry):
            try CertificateChain.check(entry.validities, at: instant)
            try candidate.checkSignature(with: entry)
        case .miss:
            let entry = try checkChain(of: candidate, at: instant, now: now)
            try candidate.checkSignature(with: entry)
            cache.insert(entry)
        case .denied:
            // What the header alone decides is said all the same.
            _ = try candidate.certificateEntries()
            throw Rejection(.verificationUnavailable, "Too many unknown certificate chains at once; try again later.")
        }
    }

    /// Steps 4 to 8 for a header that is not known.
    private func checkChain(
        of candidate: Candidate,
        at instant: Instant,
        now: Instant
    ) throws(Rejection) -> SigningKeyEntry {
        let chain = try CertificateChain(try candidate.certificateEntries(), trusting: roots)
        try chain.checkValidity(at: instant)
        try chain.checkRules()
        guard let key = ES256PublicKey(of: chain.leaf) else {
            throw Rejection(.badSignature, "The leaf's key is not on P-256, so that it can't sign with ES256.")
        }
        return SigningKeyEntry(
            header: Array(candidate.headerSegment),
            key: key,
            validities: chain.validities,
            expiresAt: now.adding(milliseconds: limits.cacheEntryLifetimeMilliseconds)
        )
    }

    /// Step 10: the kind, the app, the environment, and that it is not from the future.
    private func checkPayload(of candidate: Candidate) throws(Rejection) -> VerifiedDocument {
        try candidate.checkKind()
        let environment = try policy.check(candidate.claims)
        if let signedAt = candidate.claims.signedAt, requiresSignature {
            guard signedAt <= clock().adding(milliseconds: limits.clockLeadMaxMilliseconds) else {
                throw Rejection(.signedInFuture, "The document was signed more than five minutes ahead of our clock.")
            }
        }
        return candidate.verified(in: environment)
    }
}
