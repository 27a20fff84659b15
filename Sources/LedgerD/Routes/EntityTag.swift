import JWS

/// The strong validator of an answer (RFC 9110 section 8.8.3), over its bytes without the stamps that say when it was
/// looked up (decision 8).
///
/// The environment, the key and the clocks of the question are in the address, so they need not be in the tag.
struct EntityTag: Sendable, Hashable {
    /// As it stands in `ETag`, with its quotation marks.
    let text: String

    /// The bytes of the hash that the tag shows: two answers of one address never share them by chance.
    private static let hashBytes = 16

    /// A tag that was made before.
    init(text: String) { self.text = text }

    init(of bytes: ArraySlice<UInt8>) {
        let digits = Array("0123456789abcdef".utf8)
        var text = [UInt8(ascii: "\"")]
        text.reserveCapacity(2 * Self.hashBytes + 2)
        for byte in SHA256Digest.of(bytes).prefix(Self.hashBytes) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        text.append(UInt8(ascii: "\""))
        self.text = String(decoding: text, as: UTF8.self)
    }

    /// Whether the caller of a request with this `If-None-Match` has the answer already (RFC 9110 section 13.1.2).
    ///
    /// The comparison is the weak one, as the RFC asks for: a cache may have put `W/` before the tag.
    func isKnown(to ifNoneMatch: String?) -> Bool {
        guard let ifNoneMatch else { return false }
        return ifNoneMatch.split(separator: ",").contains { part in
            var tag = part.drop { $0 == " " || $0 == "\t" }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            while let last = tag.last, last == " " || last == "\t" { tag.removeLast() }
            return tag == "*" || tag == text
        }
    }
}
