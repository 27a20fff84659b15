import LedgerCore
import StoreSimulator

/// A chain of certificates and what signs with it: one for all tests, because making keys takes time.
struct TestStore: Sendable {
    let chain: TestChain
    let signer: DocumentSigner

    static let shared = Result { try TestStore() }

    init(_ chain: TestChain) {
        self.chain = chain
        signer = DocumentSigner(chain: chain)
    }

    private init() throws { self.init(try TestChain()) }

    /// A decoded notification, signed with the documents inside it.
    func notification(_ body: JSONValue, tampering: Tampering? = nil) throws -> [UInt8] {
        try NotificationSigner(signer: signer).sign(body.bytes, tampering: tampering)
    }

    /// A decoded document, signed.
    func document(_ payload: JSONValue, tampering: Tampering? = nil) throws -> [UInt8] {
        try tampering.map { try signer.sign(payload.bytes, tampering: $0) } ?? signer.sign(payload.bytes)
    }
}
