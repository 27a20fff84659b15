/// The target of a request as it was sent, checked once: a path and a query (RFC 9112 section 3.2).
///
/// Every escape is two hexadecimal digits and not `%00`, and what it decodes to is UTF-8, so that decoding a part of
/// it later cannot fail.
struct RequestTarget: Sendable {
    /// The path with its escapes, beginning with `/`, or `*`.
    let path: String
    /// The target as it was sent, and where in it the query begins.
    private let raw: [UInt8]
    private let queryStart: Int

    /// Nil when the target is not one: no path, a fragment, a byte that is not printable ASCII, a broken escape.
    init?(_ raw: [UInt8]) {
        guard let start = Self.startOfPath(in: raw), Self.isWellFormed(raw[start...]) else { return nil }
        let pathEnd = raw[start...].firstIndex(of: UInt8(ascii: "?")) ?? raw.endIndex
        // "http://host" and "http://host?query" have an empty path, which means "/" (RFC 9110 section 4.2.3).
        path = start == pathEnd ? "/" : String(decoding: raw[start..<pathEnd], as: UTF8.self)
        self.raw = raw
        queryStart = min(pathEnd + 1, raw.endIndex)
    }

    /// What follows the first `?`, with its escapes; empty when there is none.
    private var query: ArraySlice<UInt8> { raw[queryStart...] }

    /// Where the path begins: clients of proxies send the whole address, and servers must accept that.
    private static func startOfPath(in raw: [UInt8]) -> Int? {
        if raw.first == UInt8(ascii: "/") || raw == [UInt8(ascii: "*")] { return 0 }
        for scheme in ["http://", "https://"] {
            let prefix = raw.prefix(scheme.utf8.count)
            guard prefix.elementsEqual(scheme.utf8, by: { lowercased($0) == $1 }), prefix.count < raw.count else {
                continue
            }
            let authority = raw[prefix.endIndex...]
            return authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? raw.endIndex
        }
        return nil
    }

    private static func isWellFormed(_ text: ArraySlice<UInt8>) -> Bool {
        var isEscaped = false
        for byte in text {
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") else { return false }
            if byte == UInt8(ascii: "%") { isEscaped = true }
        }
        guard isEscaped else { return true }
        guard let decoded = decode(text, plusIsSpace: false) else { return false }
        return String(validating: decoded, as: UTF8.self) != nil
    }

    /// The bytes that an escaped text stands for; nil for a broken escape or `%00`.
    private static func decode(_ text: ArraySlice<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "%") else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            guard index + 1 < text.endIndex,
                let high = hexadecimalValue(text[index]), let low = hexadecimalValue(text[index + 1]),
                high != 0 || low != 0
            else { return nil }
            decoded.append(high << 4 | low)
            index += 2
        }
        return decoded
    }

    /// The text that a part of this target stands for: separators are ASCII, so a part of what was checked is UTF-8.
    private static func text(_ part: ArraySlice<UInt8>, plusIsSpace: Bool) -> String {
        if !part.contains(where: { $0 == UInt8(ascii: "%") || (plusIsSpace && $0 == UInt8(ascii: "+")) }) {
            return String(decoding: part, as: UTF8.self)
        }
        return String(decoding: decode(part, plusIsSpace: plusIsSpace) ?? [], as: UTF8.self)
    }

    /// The decoded parts of the path between slashes; `%2F` within a part is not a separator.
    var segments: [String] {
        Array(path.utf8).split(separator: UInt8(ascii: "/")).map { Self.text($0, plusIsSpace: false) }
    }

    /// The decoded names and values of the query in their order; `+` is a space, as forms write it.
    var queryItems: [(name: String, value: String)] {
        query.split(separator: UInt8(ascii: "&")).map { item in
            let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            let value = item[min(equals + 1, item.endIndex)...]
            return (Self.text(item[..<equals], plusIsSpace: true), Self.text(value, plusIsSpace: true))
        }
    }
}

/// The value of a hexadecimal digit in ASCII.
private func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// An ASCII letter in lower case; any other byte as it is.
func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
}
