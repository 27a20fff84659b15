/// Walks over JSON text without building values, and refuses whatever RFC 8259 does not allow.
///
/// Stricter than a decoder: no trailing comma, no unpaired surrogate, no byte order mark, nesting up to
/// ``depthMax``. Text that it accepts, every decoder accepts. It exists because verification reads ten members of a
/// payload on the hot path (measured: DESIGN.md section 6 allows 7 µs beside the signature).
package struct JSONScanner: Sendable {
    /// The text that is scanned.
    package let bytes: [UInt8]
    /// Where the next byte is read.
    package internal(set) var offset = 0
    /// All string bytes, or'ed: above 0x7F when some text is not ASCII.
    private var stringBits: UInt8 = 0

    /// How deep objects and arrays may nest; one bit each in a 64-bit stack.
    package static let depthMax = 64

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A string of the text: where it stands, without its quotation marks.
    package struct Text: Hashable, Sendable {
        package let range: Range<Int>
        /// Whether some characters are escaped, so that the text is not what stands there.
        package let isEscaped: Bool
    }

    /// The next byte that is not white space, or nil at the end; it is not consumed.
    package mutating func peek() -> UInt8? {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Consumes the byte if it comes next.
    package mutating func consume(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        offset += 1
        return true
    }

    /// Reads an object member by member.
    ///
    /// - Parameter read: gets the name of a member, and must consume its value.
    /// - Throws: where the text is not an object, or what `read` throws.
    package mutating func readObject(
        _ read: (inout JSONScanner, Text) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        try expect(UInt8(ascii: "{"))
        if consume(UInt8(ascii: "}")) { return }
        repeat {
            let name = try readName()
            try read(&self, name)
        } while consume(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }

    /// Reads an array element by element.
    ///
    /// - Parameter read: must consume one value.
    /// - Throws: where the text is not an array, or what `read` throws.
    package mutating func readArray(
        _ read: (inout JSONScanner) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        try expect(UInt8(ascii: "["))
        if consume(UInt8(ascii: "]")) { return }
        repeat { try read(&self) } while consume(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
    }

    /// Consumes one value of any type.
    package mutating func skipValue() throws(JSONSyntaxError) {
        var objects: UInt64 = 0  // bit 0 belongs to the innermost container: 1 an object, 0 an array
        var depth = 0
        repeat {
            if let isObject = try skipScalarOrOpen() {
                guard depth < Self.depthMax else { throw JSONSyntaxError(.tooDeep, at: offset) }
                objects = objects << 1 | (isObject ? 1 : 0)
                depth += 1
                continue
            }
            while depth > 0 {  // a value is complete: the next one, or the end of its container
                let isObject = objects & 1 == 1
                if consume(UInt8(ascii: ",")) {
                    if isObject { _ = try readName() }
                    break
                }
                try expect(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                objects >>= 1
                depth -= 1
            }
        } while depth > 0
    }

    /// Consumes a scalar or an empty container and returns nil, or opens a container and says whether it is an object.
    private mutating func skipScalarOrOpen() throws(JSONSyntaxError) -> Bool? {
        switch peek() {
        case UInt8(ascii: "{"):
            offset += 1
            if consume(UInt8(ascii: "}")) { return nil }
            _ = try readName()
            return true
        case UInt8(ascii: "["):
            offset += 1
            return consume(UInt8(ascii: "]")) ? nil : false
        case UInt8(ascii: "\""): _ = try readString()
        case UInt8(ascii: "t"): try expectWord("true")
        case UInt8(ascii: "f"): try expectWord("false")
        case UInt8(ascii: "n"): try expectWord("null")
        default: _ = try readNumber()
        }
        return nil
    }

    /// Consumes `null` if it comes next.
    package mutating func consumeNull() throws(JSONSyntaxError) -> Bool {
        guard peek() == UInt8(ascii: "n") else { return false }
        try expectWord("null")
        return true
    }

    /// Ends the scan: nothing but white space is left, and all text was UTF-8.
    package mutating func finish() throws(JSONSyntaxError) {
        guard peek() == nil else { throw JSONSyntaxError(.unexpectedByte, at: offset) }
        if stringBits > 0x7F, String(validating: bytes, as: UTF8.self) == nil {
            throw JSONSyntaxError(.notUTF8, at: 0)
        }
    }

    /// Consumes a member's name and the colon after it.
    private mutating func readName() throws(JSONSyntaxError) -> Text {
        guard peek() == UInt8(ascii: "\"") else { throw JSONSyntaxError(.unexpectedByte, at: offset) }
        let name = try readString()
        try expect(UInt8(ascii: ":"))
        return name
    }

    /// Consumes a string.
    package mutating func readString() throws(JSONSyntaxError) -> Text {
        try expect(UInt8(ascii: "\""))
        let start = offset
        var isEscaped = false
        var bits: UInt8 = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            bits |= byte
            switch byte {
            case UInt8(ascii: "\""):
                stringBits |= bits
                offset += 1
                return Text(range: start..<offset - 1, isEscaped: isEscaped)
            case UInt8(ascii: "\\"):
                isEscaped = true
                _ = try readEscape()
            case 0..<0x20: throw JSONSyntaxError(.controlCharacter, at: offset)
            default: offset += 1
            }
        }
        throw JSONSyntaxError(.endsEarly, at: offset)
    }

    package mutating func expect(_ byte: UInt8) throws(JSONSyntaxError) {
        guard let found = peek() else { throw JSONSyntaxError(.endsEarly, at: offset) }
        guard found == byte else { throw JSONSyntaxError(.unexpectedByte, at: offset) }
        offset += 1
    }

    private mutating func expectWord(_ word: StaticString) throws(JSONSyntaxError) {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[offset..<end].elementsEqual(word) else {
            throw JSONSyntaxError(.unexpectedByte, at: offset)
        }
        offset = end
    }

    /// Consumes one escape sequence (a surrogate pair is one) and returns its character.
    mutating func readEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = offset
        guard offset + 1 < bytes.count else { throw JSONSyntaxError(.endsEarly, at: offset) }
        let letter = bytes[offset + 1]
        offset += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw JSONSyntaxError(.badEscape, at: start)
        }
        var value = try readHexQuad()
        if 0xD800..<0xDC00 ~= value, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        {
            offset += 2
            let low = try readHexQuad()
            guard 0xDC00..<0xE000 ~= low else { throw JSONSyntaxError(.badEscape, at: start) }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw JSONSyntaxError(.badEscape, at: start) }
        return scalar
    }

    private mutating func readHexQuad() throws(JSONSyntaxError) -> UInt32 {
        guard offset + 4 <= bytes.count else { throw JSONSyntaxError(.endsEarly, at: offset) }
        var value: UInt32 = 0
        for byte in bytes[offset..<offset + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw JSONSyntaxError(.badEscape, at: offset)
            }
            value = value << 4 | UInt32(digit)
        }
        offset += 4
        return value
    }
}
