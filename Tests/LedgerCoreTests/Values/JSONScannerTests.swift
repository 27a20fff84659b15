import LedgerCore
import Testing

/// The scanner accepts only JSON; what it means is the business of `JSONReaderTests`.
@Suite struct JSONScannerTests {
    private static func skip(_ text: [UInt8]) throws(JSONSyntaxError) {
        var scanner = JSONScanner(text)
        try scanner.skipValue()
        try scanner.finish()
    }

    @Test(arguments: JSONSamples.values.map(\.text))
    func `a JSON text is passed over`(text: String) {
        #expect(throws: Never.self) { try Self.skip(Array(text.utf8)) }
    }

    @Test(arguments: JSONSamples.broken)
    func `text that is not JSON is refused`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try Self.skip(Array(text.utf8)) }
    }

    @Test(arguments: [
        ([0x22, 0xC3, 0x22], 1), ([0x22, 0x61, 0xFF, 0x22], 2), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
        ([0x22, 0xC0, 0x80, 0x22], 1), ([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x30, 0x7D], 2),
    ])
    func `text that is not UTF-8 is refused where it is none`(bytes: [UInt8], offset: Int) {
        #expect(throws: JSONSyntaxError(.notUTF8, at: offset)) { try Self.skip(bytes) }
    }

    @Test(arguments: [
        (#"{"a" 1}"#, JSONSyntaxError(.unexpectedByte, at: 5), "a character that JSON does not allow here (byte 5)"),
        (#"{"a"#, JSONSyntaxError(.endsEarly, at: 3), "the text ends early (byte 3)"),
        ("[1,\"\\x\"]", JSONSyntaxError(.badEscape, at: 4), "an escape sequence that is none (byte 4)"),
        ("[01]", JSONSyntaxError(.badNumber, at: 1), "a number that is none (byte 1)"),
        (
            #"{"\ud800":1}"#, JSONSyntaxError(.loneSurrogate, at: 2),
            "a text with half of a surrogate pair, which stands for no character (byte 2)"
        ),
    ])
    func `a refusal says what and where`(text: String, error: JSONSyntaxError, description: String) {
        #expect(throws: error) { try Self.skip(Array(text.utf8)) }
        #expect(error.description == description)
    }

    @Test func `nesting has one limit, however the text is walked`() throws {
        let deepest = JSONSamples.nested(JSONScanner.depthMax)
        let tooDeep = JSONSamples.nested(JSONScanner.depthMax + 1)
        let error = JSONSyntaxError(.tooDeep, at: JSONScanner.depthMax)
        for levelsRead in 0...JSONScanner.depthMax {
            #expect(throws: Never.self) { try Self.walk(deepest, reading: levelsRead) }
            #expect(throws: error) { try Self.walk(tooDeep, reading: levelsRead) }
        }
        #expect(throws: Never.self) { try JSONReader.value(of: deepest) }
        #expect(throws: error) { try JSONReader.value(of: tooDeep) }
        let objects = String(repeating: #"{"a":"#, count: 64) + "1" + String(repeating: "}", count: 64)
        #expect(throws: Never.self) { try Self.skip(Array(objects.utf8)) }
        #expect(throws: JSONSyntaxError.self) { try Self.skip(Array(#"{"a":\#(objects)}"#.utf8)) }
        let wide = "[" + String(repeating: "[],{},", count: 1000) + "[[]]]"
        #expect(throws: Never.self) { try Self.skip(Array(wide.utf8)) }
        #expect(throws: Never.self) { try JSONValue(wide) }
        let endless = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: error) { try Self.skip(endless) }
        #expect(throws: error) { try JSONReader.value(of: endless) }
    }

    /// Reads so many levels of arrays element by element, and skips what is inside.
    private static func walk(_ text: [UInt8], reading levels: Int) throws(JSONSyntaxError) {
        func read(_ scanner: inout JSONScanner, _ levels: Int) throws(JSONSyntaxError) {
            guard levels > 0 else { return try scanner.skipValue() }
            try scanner.readArray { scanner throws(JSONSyntaxError) in try read(&scanner, levels - 1) }
        }
        var scanner = JSONScanner(text)
        try read(&scanner, levels)
        try scanner.finish()
    }

    @Test(
        arguments: [
            ("1e2", 100, false), ("12.9", 12, true), ("-12.9", -12, true), ("0.9", 0, true), ("1e-3", 0, true),
            ("1230e-1", 123, false), ("1697679936049.7297", 1_697_679_936_049, true), ("0.0015e3", 1, true),
            ("-62135769600000", -62_135_769_600_000, false), ("-9223372036854775808.0", .min, false),
            ("922337203685477580.7e1", .max, false),
            ("9223372036854775808", nil, false), ("-9223372036854775809", nil, false), ("1e19", nil, false),
            ("0e999999999999", 0, false), ("1e999999999999", nil, false), ("1e-999999999999", 0, true),
            ("0.000", 0, false), ("1000000000000000000.5", 1_000_000_000_000_000_000, true),
        ] as [(String, Int64?, Bool)]
    )
    func `a number is cut off towards zero, exactly`(text: String, integer: Int64?, hasFraction: Bool) throws {
        var scanner = JSONScanner(Array(text.utf8))
        let number = try scanner.readNumber()
        #expect(number.integer == integer)
        #expect(number.hasFraction == hasFraction)
        #expect(number.range == 0..<text.utf8.count)
        #expect(number.isWrittenWhole == text.allSatisfy { $0.isNumber || $0 == "-" })
    }

    @Test func `an exponent counts in full, however long the text is`() throws {
        let zeros = String(repeating: "0", count: 1_100_000)
        var scanner = JSONScanner(Array("0.\(zeros)7e1100001".utf8))
        #expect(try scanner.readNumber().integer == 7)
        scanner = JSONScanner(Array("7\(zeros)e-1100000".utf8))
        #expect(try scanner.readNumber().integer == 7)
    }

    @Test(arguments: [
        (#""plain""#, "plain"), (#""\u0061\/\n""#, "a/\n"), (#""x\ud800y""#, "x\u{FFFD}y"),
        (#""\ud83d\ude00\ude00""#, "😀\u{FFFD}"), (#""é\\""#, #"é\"#), (#""""#, ""),
    ])
    func `a text is read with its escapes, half of a surrogate pair as U+FFFD`(json: String, value: String) throws {
        var scanner = JSONScanner(Array("[\(json),0]".utf8))
        try scanner.expect(UInt8(ascii: "["))
        let text = try scanner.readString()
        #expect(scanner.string(text) == value)
        #expect(scanner.unescaped(text) == Array(value.utf8))
        #expect(text.isReadable != value.contains("\u{FFFD}"))
    }
}
