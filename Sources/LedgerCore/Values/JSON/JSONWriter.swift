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
        append(name, andThen: UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes the name of a member that is data (a catalog unit, a currency), escaped.
    package mutating func name(escaping name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            // Nearly every text goes over as it is, in one piece; the longest escape takes six bytes.
            let isPlain = unsafe utf8.allSatisfy {
                $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
            let room = isPlain ? utf8.count : 6 * utf8.count
            let comma = separator()
            bytes.append(addingCapacity: room + 3) { span in
                if let comma { span.append(comma) }
                span.append(UInt8(ascii: "\""))
                if isPlain { unsafe span.append(copying: utf8) } else { unsafe span.append(escaping: utf8) }
                span.append(UInt8(ascii: "\""))
            }
        }
    }

    /// Writes a text that is a constant of ours and needs no escapes.
    package mutating func literal(_ text: StaticString) { append(text, andThen: nil) }

    /// A constant in quotes, and one byte after it.
    private mutating func append(_ text: StaticString, andThen last: UInt8?) {
        let comma = separator()
        text.withUTF8Buffer { utf8 in
            bytes.append(addingCapacity: utf8.count + 4) { span in
                if let comma { span.append(comma) }
                span.append(UInt8(ascii: "\""))
                unsafe span.append(copying: utf8)
                span.append(UInt8(ascii: "\""))
                if let last { span.append(last) }
            }
        }
    }

    package mutating func integer(_ value: some BinaryInteger) {
        separate()
        if let value = Int64(exactly: value) {
            bytes.append(addingCapacity: Int64.decimalBytesMax) { $0.appendDecimal(value) }
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
        let comma = separator()
        bytes.append(addingCapacity: Instant.rfc3339BytesMax + 3) { span in
            if let comma { span.append(comma) }
            span.append(UInt8(ascii: "\""))
            value.appendRFC3339(to: &span)
            span.append(UInt8(ascii: "\""))
        }
    }

    /// Inserts a complete JSON value that was made elsewhere, as it is.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Puts bytes between two values that are JSON texts of their own: the end of a line of NDJSON, the fields of a
    /// server-sent event.
    ///
    /// The next value begins without a comma.
    package mutating func between(_ bytes: some Sequence<UInt8>) {
        self.bytes.append(contentsOf: bytes)
        needsComma = false
    }

    /// Ends the text with bytes that were written elsewhere: what follows the open brackets, their ends included.
    package mutating func end(with rest: [UInt8]) { bytes.append(contentsOf: rest) }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() { if let comma = separator() { bytes.append(comma) } }

    /// The comma that the next value needs before it.
    private mutating func separator() -> UInt8? {
        defer { needsComma = true }
        return needsComma ? UInt8(ascii: ",") : nil
    }
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
