/// Where a request's body ends, found in its header (RFC 9112 section 6.3).
///
/// The HTTP library lets through what two servers in a row can read in two ways: both lengths, several lengths, an
/// encoding that is not `chunked`, blanks before a colon. All of that is refused here, before the body is looked at.
enum RequestFraming: Equatable, Sendable {
    /// No body, or one of a known length.
    case length(Int)
    /// A body in chunks, its length unknown.
    case chunked

    /// The framing that a header announces.
    /// - Throws: ``Refusal/malformed`` when the header leaves in doubt where the body ends.
    init(method: String, isHTTP10: Bool, fields: HeaderFields) throws(Refusal) {
        guard Self.isToken(Array(method.utf8)[...]) else { throw .malformed }
        var facts = Facts()
        fields.forEach { name, value in facts.note(name: name, value: value) }
        // RFC 9112 section 3.2: HTTP/1.1 without a Host is an error, and so is more than one.
        guard facts.areUnambiguous, facts.hasHost || isHTTP10 else { throw .malformed }
        guard facts.hasTransferEncoding else {
            self = .length(facts.contentLength ?? 0)
            return
        }
        // HTTP/1.0 has no chunks: an intermediary of that age would not see where the body ends.
        guard facts.contentLength == nil, !isHTTP10 else { throw .malformed }
        self = .chunked
    }

    /// What the fields say about the framing, gathered in one pass.
    private struct Facts {
        var contentLength: Int?
        var hasTransferEncoding = false
        var hasHost = false
        var areUnambiguous = true

        /// Whether the pass is to go on.
        mutating func note(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) -> Bool {
            if !isToken(name) || !isFieldValue(value) {
                areUnambiguous = false
            } else if name.equalsIgnoringCase("Content-Length") {
                let length = decimalValue(value.trimmingBlanks)
                areUnambiguous = length != nil && (contentLength == nil || contentLength == length)
                contentLength = length
            } else if name.equalsIgnoringCase("Transfer-Encoding") {
                areUnambiguous = !hasTransferEncoding && value.trimmingBlanks.equalsIgnoringCase("chunked")
                hasTransferEncoding = true
            } else if name.equalsIgnoringCase("Host") {
                areUnambiguous = !hasHost
                hasHost = true
            }
            return areUnambiguous
        }
    }

    /// A name of a method or a field (RFC 9110 section 5.6.2).
    private static func isToken(_ text: ArraySlice<UInt8>) -> Bool {
        !text.isEmpty
            && text.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default:
                    "!#$%&'*+.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// A field's value has no control characters but tabs (RFC 9110 section 5.5); a lone CR splits headers elsewhere.
    private static func isFieldValue(_ text: ArraySlice<UInt8>) -> Bool {
        text.allSatisfy { byte in byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t") }
    }

    /// The number that a row of decimal digits stands for; nil for anything else, and beyond the range of `Int`.
    private static func decimalValue(_ text: ArraySlice<UInt8>) -> Int? {
        guard !text.isEmpty, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return Int(String(decoding: text, as: UTF8.self))
    }
}
