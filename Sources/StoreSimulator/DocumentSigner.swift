package import JWS
import LedgerCore

/// Signs payloads as the App Store does: compact JWS with the certificate chain in the header.
package struct DocumentSigner: Sendable {
    package let chain: TestChain
    /// The header of every good document: the same bytes each time, as the App Store's.
    private let headerSegment: [UInt8]

    package init(chain: TestChain) {
        self.chain = chain
        headerSegment = JWSSigner.headerSegment(certificates: [chain.leaf, chain.intermediate, chain.root])
    }

    /// The signed document of a payload, whose bytes are signed as they are.
    package func sign(_ payload: [UInt8]) throws(SigningError) -> [UInt8] {
        try JWSSigner.sign(headerSegment: headerSegment, payload: payload, with: chain.leafKey)
    }

    /// The signed document of a payload, spoiled in a certain way.
    package func sign(_ payload: [UInt8], tampering: Tampering) throws(SigningError) -> [UInt8] {
        var chain = chain
        if let leaf = tampering.leaf { chain = try chain.withNewLeaf(leaf) }
        var key = chain.leafKey
        var certificates = [chain.leaf, chain.intermediate, chain.root]
        if tampering.signWith?.hasPrefix("self-signed") == true {
            let signer = try TestChain.selfSigned()
            key = signer.key
            certificates[0] = signer.certificate
        }
        if let list = tampering.x5c { certificates = list.choose(from: certificates) }
        let header = JWSSigner.headerSegment(
            certificates: certificates,
            algorithm: tampering.header?.alg ?? "ES256"
        )
        var text = JWSSigner.signingInput(headerSegment: header, payload: payload)
        let signature: [UInt8] =
            switch tampering.signature {
            case nil: try key.es256Signature(over: text)
            case .empty: []
            case .otherKey: try SigningKey(generating: .p256).es256Signature(over: text)
            case .der: try key.derSignature(over: text)
            }
        text.append(UInt8(ascii: "."))
        return text + Base64.encode(signature, .url)
    }
}

extension TestChain {
    fileprivate func withNewLeaf(_ leaf: Tampering.Leaf) throws(SigningError) -> TestChain {
        let markers = [ObjectIdentifierText.receiptSigning].filter { $0.rawValue != leaf.omitExtension }
        let start = Shape.from2020To2040.lowerBound
        let validity = leaf.notAfter.map { start...max(start, Instant(milliseconds: $0)) }
        return try withNewLeaf(markers: leaf.omitExtension == nil ? nil : markers, validity: validity)
    }
}

extension Tampering.CertificateList {
    /// These entries of leaf, intermediate and root, or as many as the length says, from the leaf on.
    fileprivate func choose(from chain: [[UInt8]]) -> [[UInt8]] {
        let chosen = entries?.map { entry in
            switch entry {
            case .leaf: chain[0]
            case .intermediate: chain[1]
            case .root: chain[2]
            }
        }
        let list = chosen ?? chain
        guard let length else { return list }
        // A longer chain than there are certificates repeats the root.
        return (0..<length).map { $0 < list.count ? list[$0] : chain[2] }
    }
}
