package import JWS
package import LedgerCore

/// A chain of certificates like the App Store's, made for tests.
///
/// Root and intermediate on P-384, leaf on P-256, both marker extensions. The private keys are random; ``parts()`` keeps
/// them for another run.
package struct TestChain: Sendable {
    /// The root certificate (DER): what a verifier has to trust.
    package let root: [UInt8]
    package let intermediate: [UInt8]
    package let leaf: [UInt8]
    /// Signs documents.
    package let leafKey: SigningKey

    private let shape: Shape
    private let intermediateKey: SigningKey

    /// What a chain is made of; the defaults make a good one.
    package struct Shape: Hashable, Sendable {
        package var validity = Self.from2020To2040
        package var leafValidity = Self.from2020To2040
        package var leafMarkers: [ObjectIdentifierText] = [.receiptSigning]
        package var intermediateMarkers: [ObjectIdentifierText] = [.developerRelations]
        /// Whether the intermediate says that it is a certificate authority.
        package var intermediateIsAuthority = true
        /// How many authorities the root allows below itself; the App Store's says nothing.
        package var rootPathLength: Int?
        package var rootName = "Ledger Test Root CA"
        /// Comments in the certificates; empty for none.
        package var comments = Comments()

        /// 2020-01-01 to 2039-12-31, UTC.
        package static let from2020To2040 =
            Instant(milliseconds: 1_577_836_800_000)...Instant(milliseconds: 2_208_988_799_000)

        package init() {}
    }

    /// What stands in the certificates for whoever reads them.
    package struct Comments: Hashable, Sendable {
        package var root = ""
        package var intermediate = ""
        package var leaf = ""

        package init() {}

        /// As long as it takes for the certificates to have the sizes of the App Store's of 2025 (583, 794 and 1,077
        /// bytes, so that a notification has 18 kB): theirs name policies and responders, which nothing here reads.
        package static var ofRealLength: Comments {
            let text = String(
                repeating: "Made for tests and measurements of a ledger; nobody may rely on it. ",
                count: 10
            )
            var comments = Comments()
            comments.root = String(text.prefix(165))
            comments.intermediate = String(text.prefix(335))
            comments.leaf = String(text.prefix(656))
            return comments
        }
    }

    /// A new chain with new keys.
    package init(_ shape: Shape = Shape()) throws(SigningError) {
        self.shape = shape
        let rootKey = try SigningKey(generating: .p384)
        intermediateKey = try SigningKey(generating: .p384)
        root = try CertificateTemplate(
            commonName: shape.rootName,
            issuerCommonName: shape.rootName,
            serialNumber: 1,
            validity: shape.validity,
            isAuthority: true,
            pathLength: shape.rootPathLength,
            comment: shape.comments.root
        ).certificate(for: rootKey, signedBy: rootKey)
        intermediate = try CertificateTemplate(
            commonName: Self.intermediateName,
            issuerCommonName: shape.rootName,
            serialNumber: 2,
            validity: shape.validity,
            isAuthority: shape.intermediateIsAuthority,
            pathLength: 0,
            markers: shape.intermediateMarkers,
            comment: shape.comments.intermediate
        ).certificate(for: intermediateKey, signedBy: rootKey)
        (leaf, leafKey) = try Self.makeLeaf(
            markers: shape.leafMarkers,
            validity: shape.leafValidity,
            comment: shape.comments.leaf,
            signedBy: intermediateKey
        )
    }

    /// A chain from an earlier run; the shape is what a new leaf will be made of, which the parts do not tell.
    ///
    /// - Throws: where a key is none.
    package init(_ parts: Parts, shape: Shape = Shape()) throws(SigningError) {
        self.shape = shape
        root = parts.root
        intermediate = parts.intermediate
        leaf = parts.leaf
        leafKey = try SigningKey(pem: parts.leafKey)
        intermediateKey = try SigningKey(pem: parts.intermediateKey)
    }

    /// What a chain is kept as between runs: certificates in DER, private keys as PKCS#8 in PEM.
    package struct Parts: Hashable, Sendable {
        package var root: [UInt8]
        package var intermediate: [UInt8]
        package var leaf: [UInt8]
        package var intermediateKey: [UInt8]
        package var leafKey: [UInt8]

        package init(
            root: [UInt8],
            intermediate: [UInt8],
            leaf: [UInt8],
            intermediateKey: [UInt8],
            leafKey: [UInt8]
        ) {
            self.root = root
            self.intermediate = intermediate
            self.leaf = leaf
            self.intermediateKey = intermediateKey
            self.leafKey = leafKey
        }
    }

    /// The chain as it can be kept; the root's key is not in it, so no further intermediate can be made.
    package func parts() throws(SigningError) -> Parts {
        Parts(
            root: root,
            intermediate: intermediate,
            leaf: leaf,
            intermediateKey: try intermediateKey.pem(),
            leafKey: try leafKey.pem()
        )
    }

    private init(_ other: TestChain, leaf: [UInt8], leafKey: SigningKey) {
        root = other.root
        intermediate = other.intermediate
        shape = other.shape
        intermediateKey = other.intermediateKey
        self.leaf = leaf
        self.leafKey = leafKey
    }

    /// The same root and intermediate with a new leaf: as when the App Store rotates its signing certificate.
    ///
    /// Markers and validity of nil are those of this chain's leaf.
    package func withNewLeaf(
        markers: [ObjectIdentifierText]? = nil,
        validity: ClosedRange<Instant>? = nil
    ) throws(SigningError) -> TestChain {
        let (leaf, key) = try Self.makeLeaf(
            markers: markers ?? shape.leafMarkers,
            validity: validity ?? shape.leafValidity,
            comment: shape.comments.leaf,
            signedBy: intermediateKey
        )
        return TestChain(self, leaf: leaf, leafKey: key)
    }

    private static let intermediateName = "Ledger Test Developer Relations CA"

    private static func makeLeaf(
        markers: [ObjectIdentifierText],
        validity: ClosedRange<Instant>,
        comment: String,
        signedBy issuer: SigningKey
    ) throws(SigningError) -> (leaf: [UInt8], key: SigningKey) {
        let key = try SigningKey(generating: .p256)
        let leaf = try CertificateTemplate(
            commonName: "Ledger Test Receipt Signing",
            issuerCommonName: intermediateName,
            serialNumber: 3,
            validity: validity,
            isAuthority: false,
            markers: markers,
            comment: comment
        ).certificate(for: key, signedBy: issuer)
        return (leaf, key)
    }

    /// A self-signed certificate on its own, as StoreKit Testing in Xcode signs with.
    package static func selfSigned() throws(SigningError) -> (certificate: [UInt8], key: SigningKey) {
        let key = try SigningKey(generating: .p256)
        let name = "StoreKit Testing"
        let certificate = try CertificateTemplate(
            commonName: name,
            issuerCommonName: name,
            serialNumber: 1,
            validity: Shape.from2020To2040,
            isAuthority: false
        ).certificate(for: key, signedBy: key)
        return (certificate, key)
    }
}
