/// Walks over JSON text without building values, and refuses whatever RFC 8259 does not allow.
///
/// The one JSON parser of the ledger (docs/decisions/0002-own-json.md): verification reads ten members of a payload
/// with it and skips the rest, ``JSONReader`` builds values with it. No trailing comma, no byte order mark, only UTF-8,
/// nesting up to ``depthMax``. Half of a surrogate pair is allowed in a value, because customers' texts have been cut
/// in the middle of an emoji, and refused in a member's name, which nobody could then ask for.
package struct JSONScanner: Sendable {
    /// The text that is scanned.
    package let bytes: [UInt8]
    /// Where the next byte is read.
    package internal(set) var offset = 0
    /// How many containers are open here.
    private var depth = 0

    /// How deep objects and arrays may nest: one bit each in a 64-bit stack; the App Store's documents reach 6.
    package static let depthMax = 64

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

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

    /// Consumes the byte that must come next.
    package mutating func expect(_ byte: UInt8) throws(JSONSyntaxError) {
        guard let found = peek() else { throw JSONSyntaxError(.endsEarly, at: offset) }
        guard found == byte else { throw JSONSyntaxError(.unexpectedByte, at: offset) }
        offset += 1
    }

    /// Consumes `true`, `false` or `null`, which must stand right here.
    mutating func expectWord(_ word: StaticString) throws(JSONSyntaxError) {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[offset..<end].elementsEqual(word) else {
            throw JSONSyntaxError(.unexpectedByte, at: offset)
        }
        offset = end
    }

    /// Consumes `null` if it comes next.
    package mutating func consumeNull() throws(JSONSyntaxError) -> Bool {
        guard peek() == UInt8(ascii: "n") else { return false }
        try expectWord("null")
        return true
    }

    /// Ends the scan: nothing but white space is left.
    package mutating func finish() throws(JSONSyntaxError) {
        guard peek() == nil else { throw JSONSyntaxError(.unexpectedByte, at: offset) }
    }
}

extension JSONScanner {
    /// Reads an object member by member.
    ///
    /// - Parameter read: gets the name of a member, and must consume its value.
    /// - Throws: where the text is not an object, or what `read` throws; then the scan is over.
    package mutating func readObject(
        _ read: (inout JSONScanner, Text) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        try open(UInt8(ascii: "{"))
        if consume(UInt8(ascii: "}")) { return depth -= 1 }
        repeat {
            let name = try readName()
            try read(&self, name)
        } while consume(UInt8(ascii: ","))
        try close(UInt8(ascii: "}"))
    }

    /// Reads an array element by element.
    ///
    /// - Parameter read: must consume one value.
    /// - Throws: where the text is not an array, or what `read` throws; then the scan is over.
    package mutating func readArray(
        _ read: (inout JSONScanner) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        try open(UInt8(ascii: "["))
        if consume(UInt8(ascii: "]")) { return depth -= 1 }
        repeat { try read(&self) } while consume(UInt8(ascii: ","))
        try close(UInt8(ascii: "]"))
    }

    /// Consumes one value of any type.
    package mutating func skipValue() throws(JSONSyntaxError) {
        let outerDepth = depth
        var objects: UInt64 = 0  // bit 0 belongs to the innermost container: 1 an object, 0 an array
        repeat {
            if let isObject = try skipScalarOrOpen() {
                objects = objects << 1 | (isObject ? 1 : 0)
                continue
            }
            while depth > outerDepth {  // a value is complete: the next one, or the end of its container
                let isObject = objects & 1 == 1
                if consume(UInt8(ascii: ",")) {
                    if isObject { _ = try readName() }
                    break
                }
                try close(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                objects >>= 1
            }
        } while depth > outerDepth
    }

    /// Consumes a scalar or an empty container and returns nil, or opens a container and says whether it is an object.
    private mutating func skipScalarOrOpen() throws(JSONSyntaxError) -> Bool? {
        switch peek() {
        case UInt8(ascii: "{"):
            try open(UInt8(ascii: "{"))
            if consume(UInt8(ascii: "}")) { break }
            _ = try readName()
            return true
        case UInt8(ascii: "["):
            try open(UInt8(ascii: "["))
            if consume(UInt8(ascii: "]")) { break }
            return false
        case UInt8(ascii: "\""):
            _ = try readStringHere()
            return nil
        case UInt8(ascii: "t"):
            try expectWord("true")
            return nil
        case UInt8(ascii: "f"):
            try expectWord("false")
            return nil
        case UInt8(ascii: "n"):
            try expectWord("null")
            return nil
        default:
            _ = try readNumber()
            return nil
        }
        depth -= 1  // the empty container has ended
        return nil
    }

    private mutating func open(_ bracket: UInt8) throws(JSONSyntaxError) {
        try expect(bracket)
        guard depth < Self.depthMax else { throw JSONSyntaxError(.tooDeep, at: offset - 1) }
        depth += 1
    }

    private mutating func close(_ bracket: UInt8) throws(JSONSyntaxError) {
        try expect(bracket)
        depth -= 1
    }

    /// Consumes a member's name and the colon after it.
    private mutating func readName() throws(JSONSyntaxError) -> Text {
        guard peek() == UInt8(ascii: "\"") else { throw JSONSyntaxError(.unexpectedByte, at: offset) }
        let name = try readStringHere()
        guard name.isReadable else { throw JSONSyntaxError(.loneSurrogate, at: name.range.lowerBound) }
        try expect(UInt8(ascii: ":"))
        return name
    }
}
