package import JWS
package import LedgerCore
package import StoreSimulator

/// A simulated App Store with its test chain, and the real verifier that trusts it: what tests append has passed all
/// checks.
package struct SimulatedStore: Sendable {
    package let signer: DocumentSigner
    package let verifier: Verifier

    /// The one of this process; making a chain costs milliseconds.
    package static func shared() throws -> SimulatedStore { try made.get() }

    private static let made = Result { try SimulatedStore() }

    /// The present of its verifier, in 2033: after all that tests sign.
    package static let now = Instant(milliseconds: 2_000_000_000_000)

    package init() throws {
        let chain = try TestChain()
        let app = ServedApp(
            bundleID: BundleID(rawValue: "com.example.app"),
            appAppleID: 1_234_567_890,
            environments: [.production, .sandbox]
        )
        signer = DocumentSigner(chain: chain)
        verifier = try Verifier(
            roots: try TrustedRoots(contents: [chain.root]),
            apps: [app],
            clock: { SimulatedStore.now }
        )
    }

    /// A signer under the same root whose certificate is another one: as after the App Store has rotated it.
    package func rotatedSigner() throws -> DocumentSigner { DocumentSigner(chain: try signer.chain.withNewLeaf()) }

    /// Signs and verifies a document.
    /// - Throws: the `Rejection` when it is refused.
    package func verified(_ payload: [UInt8], as kind: DocumentKind) throws -> VerifiedDocument {
        try verifier.verify(try signer.sign(payload), as: kind).get()
    }

    package func verified(_ payload: Payload, as kind: DocumentKind) throws -> VerifiedDocument {
        try verified(payload.bytes, as: kind)
    }

    /// Signs and verifies a notification, whose inner documents are signed already.
    /// - Throws: the `Rejection` when it is refused.
    package func verifiedNotification(_ payload: [UInt8]) throws -> VerifiedNotification {
        try verifier.verifyNotification(try signer.sign(payload)).get()
    }

    package func verifiedNotification(_ payload: Payload) throws -> VerifiedNotification {
        try verifiedNotification(payload.bytes)
    }
}

extension VerifiedDocument {
    /// The text of the document, as a member of a notification under test.
    package var text: String { String(decoding: jws, as: UTF8.self) }
}
