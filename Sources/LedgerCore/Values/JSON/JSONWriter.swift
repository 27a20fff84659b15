/// Writes JSON as bytes, in one pass and without intermediate values, for answers on the hot path (measured 15 times
/// faster than an encoder; DESIGN.md section 6).
///
/// The writer puts commas and quotes; the caller opens and closes objects and arrays in pairs. Member names are
/// constants of ours and are not escaped; text values are.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(reservingCapacity capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes the name of the member whose value comes next.
    package mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes the name of a member that is data (a catalog unit, a currency), escaped.
    package mutating func name(escaping name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        appendEscaped(text)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a text that is a constant of ours and needs no escapes.
    package mutating func literal(_ text: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func integer(_ value: some BinaryInteger) {
        separate()
        if let value = Int64(exactly: value) {
            bytes.appendDecimal(value)
        } else {
            bytes.append(contentsOf: String(value).utf8)
        }
    }

    package mutating func boolean(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    package mutating func instant(_ value: Instant) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        value.appendRFC3339(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Inserts a complete JSON value that was made elsewhere, as it is.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// RFC 8259 section 7: quotation mark, reverse solidus and the control characters are escaped, nothing else.
    private mutating func appendEscaped(_ text: String) {
        var text = text
        // Nearly every text goes over as it is, in one piece.
        let isPlain = text.withUTF8 { utf8 in
            guard unsafe utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) else {
                return false
            }
            unsafe bytes.append(contentsOf: utf8)
            return true
        }
        if !isPlain { for byte in text.utf8 { appendEscaped(byte) } }
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
        case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
        case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
        case 0..<0x20:
            bytes.append(contentsOf: #"\u00"#.utf8)
            bytes.append(Self.hexDigits[Int(byte >> 4)])
            bytes.append(Self.hexDigits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}

extension JSONWriter {
    /// A member with text, or null.
    package mutating func member(_ name: StaticString, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    /// A member with an identifier, or null.
    package mutating func member(_ name: StaticString, _ value: (some TextIdentifier)?) {
        member(name, value?.rawValue)
    }

    /// A member with a time, or null.
    package mutating func member(_ name: StaticString, _ value: Instant?) {
        self.name(name)
        if let value { instant(value) } else { null() }
    }

    /// A member with an integer, or null.
    package mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?) {
        self.name(name)
        if let value { integer(value) } else { null() }
    }

    /// A member with a truth value, or null.
    package mutating func member(_ name: StaticString, _ value: Bool?) {
        self.name(name)
        if let value { boolean(value) } else { null() }
    }

    /// A member with a position.
    package mutating func member(_ name: StaticString, _ value: Position) { member(name, value.rawValue) }
}
