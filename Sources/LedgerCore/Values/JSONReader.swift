/// Reads JSON from bytes, strictly after RFC 8259: no byte order mark, no comma too many, only UTF-8, and one value
/// alone.
///
/// Our own instead of Foundation's decoder, because a ledger must not alter a number in passing: `JSONDecoder` reads
/// `1000000000000000000.5` as the integer 1000000000000000000, gives no access to the text of a number, and takes
/// broken text in members that nobody asks for (`{"a":1,}`, `{"b":01}`), on which PostgreSQL's `jsonb` would stumble
/// later. It also took more than twice the time for the same documents.
package struct JSONReader {
    /// How deep objects and arrays may be nested; the App Store's documents reach 6.
    package static let depthMax = 64

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value that a JSON text stands for.
    /// - Throws: ``JSONReaderError`` when the bytes are not exactly one JSON value.
    package static func value(of text: [UInt8]) throws(JSONReaderError) -> JSONValue {
        var reader = JSONReader(text)
        reader.skipWhiteSpace()
        let value = try reader.value()
        reader.skipWhiteSpace()
        guard reader.index == text.count else { throw .unexpected(offset: reader.index) }
        return value
    }

    /// Reads the value that begins here.
    private mutating func value() throws(JSONReaderError) -> JSONValue {
        switch next {
        case UInt8(ascii: "{"): return .object(try nested { reader throws(JSONReaderError) in try reader.object() })
        case UInt8(ascii: "["): return .array(try nested { reader throws(JSONReaderError) in try reader.array() })
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func nested<Value>(
        _ body: (inout JSONReader) throws(JSONReaderError) -> Value
    ) throws(JSONReaderError) -> Value {
        guard depth < Self.depthMax else { throw .tooDeep(offset: index) }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    private mutating func object() throws(JSONReaderError) -> JSONObject {
        var object = JSONObject()
        index += 1
        skipWhiteSpace()
        if skip(UInt8(ascii: "}")) { return object }
        repeat {
            skipWhiteSpace()
            let nameOffset = index
            guard next == UInt8(ascii: "\""), case .string(let name) = try string() else {
                throw .unexpected(offset: nameOffset)
            }
            skipWhiteSpace()
            guard skip(UInt8(ascii: ":")) else { throw .unexpected(offset: index) }
            skipWhiteSpace()
            object.add(name, try value())
            skipWhiteSpace()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw .unexpected(offset: index) }
        return object
    }

    private mutating func array() throws(JSONReaderError) -> [JSONValue] {
        var elements: [JSONValue] = []
        index += 1
        skipWhiteSpace()
        if skip(UInt8(ascii: "]")) { return elements }
        repeat {
            skipWhiteSpace()
            elements.append(try value())
            skipWhiteSpace()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw .unexpected(offset: index) }
        return elements
    }

    private mutating func word(_ text: StaticString, _ value: JSONValue) throws(JSONReaderError) -> JSONValue {
        let found = text.withUTF8Buffer { unsafe bytes[index...].starts(with: $0) }
        guard found else { throw .unexpected(offset: index) }
        index += text.utf8CodeUnitCount
        return value
    }

    private mutating func number() throws(JSONReaderError) -> JSONValue {
        let start = index
        let isNegative = skip(UInt8(ascii: "-"))
        let firstDigit = index
        var magnitude: Int64? = 0
        while let digit = nextDigit {
            magnitude = magnitude.flatMap { $0.appending(digit: digit, isNegative: isNegative) }
            index += 1
        }
        guard index > firstDigit, index == firstDigit + 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
            throw .unexpected(offset: firstDigit)
        }
        let isInteger = try !skipFractionAndExponent()
        if isInteger, let magnitude { return .integer(magnitude) }
        return .number(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    /// Whether there was a fraction or an exponent.
    private mutating func skipFractionAndExponent() throws(JSONReaderError) -> Bool {
        let start = index
        if skip(UInt8(ascii: ".")) { try skipDigits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
            try skipDigits()
        }
        return index > start
    }

    private mutating func skipDigits() throws(JSONReaderError) {
        let start = index
        while nextDigit != nil { index += 1 }
        guard index > start else { throw .unexpected(offset: index) }
    }
}

extension JSONReader {
    /// A text without escapes, which is nearly every one, is taken over in one piece.
    private mutating func string() throws(JSONReaderError) -> JSONValue {
        index += 1
        let start = index
        let isASCII = skipPlainCharacters()
        guard skip(UInt8(ascii: "\"")) else { return try escapedString(from: start) }
        let utf8 = bytes[start..<(index - 1)]
        return .string(isASCII ? String(decoding: utf8, as: UTF8.self) : try text(utf8))
    }

    private mutating func escapedString(from start: Int) throws(JSONReaderError) -> JSONValue {
        var unescaped = Array(bytes[start..<index])
        var isReadable = true
        while !skip(UInt8(ascii: "\"")) {
            guard skip(UInt8(ascii: "\\")) else { throw .unexpected(offset: index) }
            if let scalar = try escape() {
                unescaped.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
            } else {
                isReadable = false
            }
            let plain = index
            skipPlainCharacters()
            unescaped += bytes[plain..<index]
        }
        let asWritten = try text(bytes[start..<(index - 1)])
        return isReadable ? .string(try text(unescaped[...])) : .unreadableString(asWritten)
    }

    /// The character of an escape whose reverse solidus has been read, or nil for half of a surrogate pair.
    private mutating func escape() throws(JSONReaderError) -> Unicode.Scalar? {
        guard let letter = next else { throw .unexpected(offset: index) }
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try codePoint()
        default: throw .unexpected(offset: index - 1)
        }
    }

    private mutating func codePoint() throws(JSONReaderError) -> Unicode.Scalar? {
        let first = try codeUnit()
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        let afterFirst = index
        guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else {
            index = afterFirst
            return nil
        }
        let second = try codeUnit()
        guard UTF16.isTrailSurrogate(second) else {
            index = afterFirst
            return nil
        }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private mutating func codeUnit() throws(JSONReaderError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw .unexpected(offset: index)
            }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }

    /// Checks every sequence; for ASCII it costs more than taking the text over, so that goes without.
    private func text(_ utf8: ArraySlice<UInt8>) throws(JSONReaderError) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else { throw .notUTF8(offset: index) }
        return text
    }
}

extension JSONReader {
    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private var nextDigit: Int64? {
        guard let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return Int64(byte - UInt8(ascii: "0"))
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipWhiteSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Moves past the characters of a text that stand for themselves, and tells whether they are all ASCII.
    @discardableResult
    private mutating func skipPlainCharacters() -> Bool {
        let (end, isASCII) = Self.endOfPlainCharacters(in: bytes.span, from: index)
        index = end
        return isASCII
    }

    /// Eight bytes at a time, because the documents inside a notification are texts of many thousand.
    private static func endOfPlainCharacters(in text: Span<UInt8>, from start: Int) -> (end: Int, isASCII: Bool) {
        var end = start
        var bits: UInt64 = 0
        while end + 8 <= text.count {
            let block = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: end, as: UInt64.self)
            if block.hasByte(UInt8(ascii: "\"")) || block.hasByte(UInt8(ascii: "\\")) || block.hasByteBelow0x20 {
                break
            }
            bits |= block
            end += 8
        }
        while end < text.count {
            let byte = text[end]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            bits |= UInt64(byte)
            end += 1
        }
        return (end, bits & UInt64.highBits == 0)
    }
}

/// Questions to the eight bytes of a word; a subtraction borrows into the high bit of a byte that is too small.
extension UInt64 {
    fileprivate static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    fileprivate func hasByte(_ byte: UInt8) -> Bool {
        let difference = self ^ (Self.ones &* UInt64(byte))
        return (difference &- Self.ones) & ~difference & Self.highBits != 0
    }

    fileprivate var hasByteBelow0x20: Bool { (self &- Self.ones &* 0x20) & ~self & Self.highBits != 0 }
}

extension Int64 {
    /// This number with one more decimal digit, or nil past 64 bits.
    fileprivate func appending(digit: Int64, isNegative: Bool) -> Int64? {
        let (shifted, overflow) = multipliedReportingOverflow(by: 10)
        guard !overflow else { return nil }
        let (sum, overflowOfSum) =
            isNegative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
        return overflowOfSum ? nil : sum
    }
}
