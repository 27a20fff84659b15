import Glibc
import LedgerCore

/// The three segments of a JWS in compact serialization, as they stand in the text (PROTOCOL.md 1.2, step 1).
struct CompactJWS {
    let text: [UInt8]
    let header: Range<Int>
    let payload: Range<Int>
    let signature: Range<Int>

    init(_ text: [UInt8]) throws(Rejection) {
        self.text = text
        guard let first = text.index(ofDotFrom: 0), let second = text.index(ofDotFrom: first + 1),
            text.index(ofDotFrom: second + 1) == nil
        else { throw Rejection(.malformed, "A JWS has three segments, separated by two dots.") }
        header = 0..<first
        payload = first + 1..<second
        signature = second + 1..<text.count
    }

    func decodeHeader() throws(Rejection) -> [UInt8] {
        guard let bytes = Base64.decode(text[header], .url) else {
            throw Rejection(.malformed, "The header segment is not base64url.")
        }
        return bytes
    }

    func decodePayload() throws(Rejection) -> [UInt8] {
        guard let bytes = Base64.decode(text[payload], .url) else {
            throw Rejection(.malformed, "The payload segment is not base64url.")
        }
        return bytes
    }

    /// R and S, 32 bytes each: the form of ES256 (RFC 7518, section 3.4), not the DER of X.509.
    func decodeSignature() throws(Rejection) -> [UInt8] {
        guard let bytes = Base64.decode(text[signature], .url), bytes.count == ES256PublicKey.signatureBytes else {
            throw Rejection(.badSignature, "The signature segment is not base64url of 64 bytes.")
        }
        return bytes
    }
}

extension [UInt8] {
    /// Where the next dot stands, or nil.
    fileprivate func index(ofDotFrom start: Int) -> Int? {
        unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, start < bytes.count,
                let found = unsafe memchr(base + start, Int32(UInt8(ascii: ".")), bytes.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
