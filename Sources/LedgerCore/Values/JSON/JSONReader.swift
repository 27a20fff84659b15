/// Builds the values of JSON texts; the syntax is the business of ``JSONScanner``.
package enum JSONReader {
    /// The value that a JSON text stands for.
    ///
    /// - Throws: ``JSONSyntaxError`` when the bytes are not exactly one JSON value.
    package static func value(of text: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var scanner = JSONScanner(text)
        let value = try scanner.readValue()
        try scanner.finish()
        return value
    }
}

extension JSONScanner {
    /// Consumes one value of any type and builds it.
    package mutating func readValue() throws(JSONSyntaxError) -> JSONValue {
        switch peek() {
        case UInt8(ascii: "{"):
            var object = JSONObject()
            try readObject { scanner, name throws(JSONSyntaxError) in
                object.add(scanner.string(name), isASCII: name.isASCII, try scanner.readValue())
            }
            return .object(object)
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try readArray { scanner throws(JSONSyntaxError) in elements.append(try scanner.readValue()) }
            return .array(elements)
        case UInt8(ascii: "\""):
            let text = try readStringHere()
            return text.isReadable ? .string(string(text)) : .unreadableString(written(text))
        case UInt8(ascii: "t"):
            try expectWord("true")
            return .boolean(true)
        case UInt8(ascii: "f"):
            try expectWord("false")
            return .boolean(false)
        case UInt8(ascii: "n"):
            try expectWord("null")
            return .null
        default:
            let number = try readNumber()
            if number.isWrittenWhole, let integer = number.integer { return .integer(integer) }
            return .number(String(decoding: bytes[number.range], as: UTF8.self))
        }
    }
}
