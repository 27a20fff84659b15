extension JSONScanner {
    /// A string of the text: where it stands, without its quotation marks.
    package struct Text: Hashable, Sendable {
        /// Its bytes as they were written; they are UTF-8.
        package let range: Range<Int>
        /// Whether some characters are escaped, so that the text is not what stands there.
        package let isEscaped: Bool
        /// Whether every escape stands for a character; half of a surrogate pair (`"\ud800"`) stands for none.
        package let isReadable: Bool
        /// Whether all of it is ASCII; false where an escape could stand for something else.
        package let isASCII: Bool
    }

    /// Consumes a string.
    package mutating func readString() throws(JSONSyntaxError) -> Text {
        guard let first = peek() else { throw JSONSyntaxError(.endsEarly, at: offset) }
        guard first == UInt8(ascii: "\"") else { throw JSONSyntaxError(.unexpectedByte, at: offset) }
        return try readStringHere()
    }

    /// Consumes the string whose quotation mark has been seen right here.
    mutating func readStringHere() throws(JSONSyntaxError) -> Text {
        offset += 1
        let start = offset
        var isASCII = true
        var isEscaped = false
        var isReadable = true
        while true {
            if !skipPlainCharacters() { isASCII = false }
            guard offset < bytes.count else { throw JSONSyntaxError(.endsEarly, at: offset) }
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                let range = start..<offset
                if !isASCII { try expectUTF8(range) }
                offset += 1
                return Text(
                    range: range,
                    isEscaped: isEscaped,
                    isReadable: isReadable,
                    isASCII: isASCII && !isEscaped
                )
            case UInt8(ascii: "\\"):
                isEscaped = true
                if try readEscape() == nil { isReadable = false }
            default: throw JSONSyntaxError(.controlCharacter, at: offset)
            }
        }
    }

    private func expectUTF8(_ range: Range<Int>) throws(JSONSyntaxError) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span.extracting(range))
        } catch { throw JSONSyntaxError(.notUTF8, at: range.lowerBound + error.byteOffsets.lowerBound) }
    }

    /// Whether a string of the text is this word.
    package func holds(_ word: StaticString, at text: Text) -> Bool {
        guard text.isEscaped else {
            return text.range.count == word.utf8CodeUnitCount && bytes[text.range].elementsEqual(word)
        }
        return unescaped(text).elementsEqual(word)
    }

    /// The UTF-8 bytes of a string of the text, with its escapes resolved; half of a surrogate pair becomes U+FFFD.
    package func unescaped(_ text: Text) -> [UInt8] {
        guard text.isEscaped else { return Array(bytes[text.range]) }
        var result: [UInt8] = []
        result.reserveCapacity(text.range.count)
        var reader = self
        reader.offset = text.range.lowerBound
        while true {
            let start = reader.offset
            reader.skipPlainCharacters()
            result += bytes[start..<reader.offset]
            guard reader.offset < text.range.upperBound else { return result }
            // Scanning has accepted the escape before, so nil is half of a pair.
            result += ((try? reader.readEscape()) ?? "\u{FFFD}").utf8
        }
    }

    /// A string of the text as `String`, with its escapes resolved; half of a surrogate pair becomes U+FFFD.
    package func string(_ text: Text) -> String {
        text.isEscaped ? String(decoding: unescaped(text), as: UTF8.self) : written(text)
    }

    /// A string of the text as it was written, escapes included.
    func written(_ text: Text) -> String { String(decoding: bytes[text.range], as: UTF8.self) }
}

extension JSONScanner {
    /// Consumes one escape sequence (a surrogate pair is one) and returns its character, or nil for half of a pair.
    private mutating func readEscape() throws(JSONSyntaxError) -> Unicode.Scalar? {
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
        case UInt8(ascii: "u"): return try readCodePoint()
        default: throw JSONSyntaxError(.badEscape, at: offset - 2)
        }
    }

    private mutating func readCodePoint() throws(JSONSyntaxError) -> Unicode.Scalar? {
        let first = try readCodeUnit()
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        let afterFirst = offset
        guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
        else { return nil }
        offset += 2
        let second = try readCodeUnit()
        guard UTF16.isTrailSurrogate(second) else {
            offset = afterFirst  // an escape of its own
            return nil
        }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    /// Consumes the four hexadecimal digits of an escape.
    private mutating func readCodeUnit() throws(JSONSyntaxError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard offset < bytes.count else { throw JSONSyntaxError(.endsEarly, at: offset) }
            guard let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue else {
                throw JSONSyntaxError(.badEscape, at: offset)
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }
}

extension Sequence<UInt8> {
    /// Whether these are the UTF-8 bytes of the word.
    func elementsEqual(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { unsafe elementsEqual($0) }
    }
}
