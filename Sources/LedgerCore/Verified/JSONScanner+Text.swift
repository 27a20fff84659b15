extension JSONScanner {
    /// Whether a string of the text is this word.
    package func holds(_ word: StaticString, at text: Text) -> Bool {
        guard text.isEscaped else {
            return text.range.count == word.utf8CodeUnitCount && bytes[text.range].elementsEqual(word)
        }
        return unescaped(text).elementsEqual(word)
    }

    /// The UTF-8 bytes of a string of the text, with its escapes resolved.
    package func unescaped(_ text: Text) -> [UInt8] {
        guard text.isEscaped else { return Array(bytes[text.range]) }
        var result: [UInt8] = []
        result.reserveCapacity(text.range.count)
        var reader = self
        reader.offset = text.range.lowerBound
        while reader.offset < text.range.upperBound {
            if bytes[reader.offset] == UInt8(ascii: "\\") {
                // Scanning has accepted the escape before; "?" can't appear.
                let scalar = (try? reader.readEscape()) ?? "?"
                result.append(contentsOf: String(Character(scalar)).utf8)
            } else {
                result.append(bytes[reader.offset])
                reader.offset += 1
            }
        }
        return result
    }

    /// A string of the text as `String`; bytes that are not UTF-8 are replaced (``finish()`` refuses them).
    package func string(_ text: Text) -> String {
        text.isEscaped
            ? String(decoding: unescaped(text), as: UTF8.self) : String(decoding: bytes[text.range], as: UTF8.self)
    }
}

extension Sequence<UInt8> {
    /// Whether these are the UTF-8 bytes of the word.
    func elementsEqual(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { unsafe elementsEqual($0) }
    }
}

/// What is wrong with a JSON text, and where.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: String, Hashable, Sendable {
        case endsEarly = "the text ends early"
        case unexpectedByte = "a character that JSON does not allow here"
        case controlCharacter = "a control character inside a string"
        case nullCharacter = "a text with U+0000, which can't be stored"
        case badEscape = "an escape sequence that is none"
        case badNumber = "a number that is none"
        case notUTF8 = "text that is not UTF-8"
        case tooDeep = "objects and arrays nest too deep"
        case wrongType = "a member has another JSON type than the App Store gives it"
        case outOfRange = "a number outside its range"
        case duplicateMember = "a member stands twice"
        case tooMany = "more documents inside than a notification has"
    }

    package let reason: Reason
    /// Byte of the text, from 0.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String { "\(reason.rawValue) (byte \(offset))" }
}
