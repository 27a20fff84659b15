import COpenSSL
import LedgerCore

/// A SHA-256 computation that can be continued from a copy: the digest of "header." is computed once per signing
/// certificate, and each document hashes only its payload.
struct SHA256State {
    private var context = SHA256_CTX()

    static let digestBytes = 32

    init() { unsafe SHA256_Init(&context) }

    mutating func update(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { buffer in _ = unsafe SHA256_Update(&context, buffer.baseAddress, buffer.count) }
    }

    consuming func finish() -> [UInt8] {
        var context = self.context
        return unsafe [UInt8](unsafeUninitializedCapacity: Self.digestBytes) { output, count in
            unsafe SHA256_Final(output.baseAddress, &context)
            count = Self.digestBytes
        }
    }

    /// The digest of these bytes.
    static func digest(of bytes: [UInt8]) -> [UInt8] { digest(of: bytes[...]) }

    static func digest(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        var state = SHA256State()
        state.update(bytes)
        return state.finish()
    }

    /// The identity of a document: the first bytes of the digest of its payload.
    static func documentDigest(of payload: [UInt8]) -> DocumentDigest {
        guard let digest = DocumentDigest(digest(of: payload)) else {
            preconditionFailure("a SHA-256 digest has more than \(DocumentDigest.size) bytes")
        }
        return digest
    }
}

/// SHA-256 of bytes that are at hand.
package enum SHA256Digest {
    /// The 32 bytes of the digest.
    package static func of(_ bytes: [UInt8]) -> [UInt8] { of(bytes[...]) }

    /// The 32 bytes of the digest.
    package static func of(_ bytes: ArraySlice<UInt8>) -> [UInt8] { SHA256State.digest(of: bytes) }
}
