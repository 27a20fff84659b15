import LedgerCore

/// A chain leaf → intermediate → trusted root whose names and signatures hold (PROTOCOL.md 1.2, steps 6 to 8).
struct CertificateChain {
    let leaf: Certificate
    let intermediate: Certificate
    let root: Certificate
    /// Validity of leaf, intermediate and root, in this order.
    let validities: [ClosedRange<Instant>]

    /// The chain in three entries of `x5c`: parsed (step 6), and its path checked up to a trusted root (8a).
    ///
    /// An entry is standard base64 of DER, or nil when it is no string.
    init(_ entries: [[UInt8]?], trusting roots: TrustedRoots) throws(Rejection) {
        leaf = try Self.certificate(entries[0], "x5c[0], the leaf,")
        intermediate = try Self.certificate(entries[1], "x5c[1], the intermediate,")
        guard leaf.names(issuer: intermediate) else {
            throw Rejection(.invalidChain, "The leaf names another issuer than the intermediate.")
        }
        root = try Self.root(above: intermediate, presented: entries[2], trusting: roots)
        guard leaf.isSigned(by: intermediate) else {
            throw Rejection(.invalidChain, "The leaf is not signed by the intermediate.")
        }
        guard let first = leaf.validity, let second = intermediate.validity, let third = root.validity else {
            throw Rejection(.invalidCertificate, "The validity of a certificate can't be read.")
        }
        validities = [first, second, third]
    }

    private static func certificate(_ entry: [UInt8]?, _ name: String) throws(Rejection) -> Certificate {
        guard let entry, let certificate = decode(entry) else {
            throw Rejection(.invalidCertificate, "\(name) is not base64 of a DER certificate.")
        }
        return certificate
    }

    private static func decode(_ entry: [UInt8]) -> Certificate? {
        Base64.decode(entry[...], .standard).flatMap(Certificate.init(der:))
    }

    /// The trusted root that signed the intermediate.
    private static func root(
        above intermediate: Certificate,
        presented: [UInt8]?,
        trusting roots: TrustedRoots
    ) throws(Rejection) -> Certificate {
        // Configured certificates decide without a look at x5c[2], so that rubbish there does no harm.
        var namesakes = roots.certificates.filter { intermediate.names(issuer: $0) }
        if let root = namesakes.first(where: { intermediate.isSigned(by: $0) }) { return root }
        let foreign = presented.flatMap(decode)
        if let foreign, intermediate.names(issuer: foreign), roots.fingerprints.contains(foreign.fingerprint) {
            if intermediate.isSigned(by: foreign) { return foreign }
            namesakes.append(foreign)
        }
        // Nothing below can accept; it finds out what to say.
        guard intermediate.isAuthority else {
            throw Rejection(.invalidChain, "The intermediate is not a certificate authority.")
        }
        let isIntact = foreign.map { intermediate.names(issuer: $0) && intermediate.isSigned(by: $0) } ?? false
        guard namesakes.isEmpty || isIntact else {
            throw Rejection(.invalidChain, "The intermediate is not signed by the root it names.")
        }
        throw Rejection(.untrustedRoot, "The chain ends in a root that is not configured.")
    }

    /// Checks that all three certificates were valid at an instant (8b).
    func checkValidity(at instant: Instant) throws(Rejection) {
        try Self.check(validities, at: instant)
    }

    /// Checks that an instant lies inside each validity.
    static func check(_ validities: [ClosedRange<Instant>], at instant: Instant) throws(Rejection) {
        for (index, validity) in validities.enumerated() where !validity.contains(instant) {
            let name = ["leaf", "intermediate", "root"][index]
            throw Rejection(
                .certificateExpired,
                "The \(name) certificate was \(instant < validity.lowerBound ? "not yet" : "no longer") valid when the "
                    + "document was signed."
            )
        }
    }

    /// Checks what holds at any instant: CA rules (8c) and both marker extensions (8d, 8e).
    func checkRules() throws(Rejection) {
        guard intermediate.isAuthority, root.isAuthority, (root.pathLength ?? 1) >= 1 else {
            throw Rejection(.invalidChain, "The intermediate or the root may not issue certificates of this path.")
        }
        guard ![leaf, intermediate, root].contains(where: \.hasUnacceptableExtension) else {
            throw Rejection(.invalidChain, "A certificate has a critical extension that is unknown or broken.")
        }
        guard leaf.hasExtension(.receiptSigning) else {
            throw Rejection(
                .leafMarkerMissing,
                "The leaf is not an App Store signing certificate (extension \(marker(.receiptSigning)))."
            )
        }
        guard intermediate.hasExtension(.developerRelations) else {
            throw Rejection(
                .intermediateMarkerMissing,
                "The intermediate is not Apple Worldwide Developer Relations (extension \(marker(.developerRelations)))."
            )
        }
    }

    private func marker(_ identifier: ObjectIdentifierText) -> String { "\(identifier.rawValue) is missing" }
}
