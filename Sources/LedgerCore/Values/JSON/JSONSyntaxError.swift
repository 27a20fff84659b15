/// What is wrong with a JSON text, and where.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule that is broken: of RFC 8259, of our limits, or of the members that a reader needs.
    package enum Reason: String, Hashable, Sendable {
        case endsEarly = "the text ends early"
        case unexpectedByte = "a character that JSON does not allow here"
        case controlCharacter = "a control character inside a string"
        case nullCharacter = "a text with U+0000, which can't be stored"
        case badEscape = "an escape sequence that is none"
        case loneSurrogate = "a text with half of a surrogate pair, which stands for no character"
        case badNumber = "a number that is none"
        case notUTF8 = "text that is not UTF-8"
        case tooDeep = "objects and arrays nest too deep"
        case wrongType = "a member has another JSON type than the App Store gives it"
        case outOfRange = "a number outside its range"
        case duplicateMember = "a member stands twice"
        case tooMany = "more documents inside than a notification has"
    }

    /// The rule.
    package let reason: Reason
    /// Byte of the text, from 0.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// A part of a sentence, to stand behind a colon.
    package var description: String { "\(reason.rawValue) (byte \(offset))" }
}
