import JWS
import LedgerCore
import StoreSimulator

extension TestStore {
    /// A document with a header of the test's own, signed with the good key.
    func document(_ payload: JSONValue, header: JSONValue) throws -> [UInt8] {
        try JWSSigner.sign(
            headerSegment: Base64.encode(header.bytes, .url),
            payload: payload.bytes,
            with: chain.leafKey
        )
    }

    /// The header of good documents, as JSON.
    var header: JSONValue {
        let certificates = [chain.leaf, chain.intermediate, chain.root]
        return [
            "alg": "ES256",
            "x5c": .array(certificates.map { .string(String(decoding: Base64.encode($0, .standard), as: UTF8.self)) }),
        ]
    }

    /// A notification whose inner documents are signed by another store.
    func notification(_ body: JSONValue, innerSignedBy other: TestStore) throws -> [UInt8] {
        guard let data = body["data"], let transaction = data["transactionInfo"] else { return try document(body) }
        let inner = String(decoding: try other.document(transaction), as: UTF8.self)
        return try document(
            body.with(["data": data.with(["transactionInfo": nil, "signedTransactionInfo": .string(inner)])])
        )
    }
}

extension Tampering {
    /// A spoiled document, in one expression.
    static func spoiling(_ target: Target = .outer, _ change: (inout Tampering) -> Void) -> Tampering {
        var tampering = Tampering(target: target)
        change(&tampering)
        return tampering
    }
}
