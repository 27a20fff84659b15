import LedgerCore
import Testing

@Suite struct JSONReaderTests {
    @Test(arguments: JSONSamples.values)
    func `a JSON text has its value`(text: String, value: JSONValue) throws { #expect(try JSONValue(text) == value) }

    @Test(arguments: JSONSamples.broken)
    func `anything but one JSON value is refused`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(text) }
    }

    @Test(
        arguments: [
            [0xFF], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x90, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0x80],
        ] as [[UInt8]]
    )
    func `a text that is not UTF-8 is refused where it is none`(bytes: [UInt8]) {
        for filler in 0..<18 {
            let text = Array("\"".utf8) + Array(repeating: 0x61, count: filler) + bytes + Array("\"".utf8)
            #expect(throws: JSONSyntaxError(.notUTF8, at: filler + 1)) { try JSONReader.value(of: text) }
            let escaped = Array(#"{"a\n":"\n"#.utf8) + text.dropFirst() + Array("}".utf8)
            #expect(throws: JSONSyntaxError(.notUTF8, at: filler + 10)) { try JSONReader.value(of: escaped) }
            let name = Array("{".utf8) + text + Array(":1}".utf8)
            #expect(throws: JSONSyntaxError(.notUTF8, at: filler + 2)) { try JSONReader.value(of: name) }
        }
    }

    @Test(arguments: [
        #"\ud800"#, #"\udc00"#, #"\ud800\ud800"#, #"x\ud83d\n"#, #"\ud83dx"#, #"\ude00\ud83d"#, #"é\ud83d\ud83d\ude00"#,
    ])
    func `a text with half of a surrogate pair is kept as it was written`(text: String) throws {
        let json = #"["\#(text)",1]"#
        #expect(try JSONValue(json) == .array([.unreadableString(text), .integer(1)]))
        #expect(try JSONValue(json).bytes == Array(json.utf8))
    }

    @Test(arguments: [#"{"\ud800":1}"#, #"[{"a":1,"\udc00x":1}]"#])
    func `a name with half of a surrogate pair is refused`(text: String) {
        #expect { try JSONValue(text) } throws: { ($0 as? JSONSyntaxError)?.reason == .loneSurrogate }
    }

    @Test func `of a name that comes twice the last value counts, and the name is listed`() throws {
        guard case .object(let object) = try JSONValue(#"{"a":1,"b":2,"a":{},"\u0061":3}"#) else {
            Issue.record("not an object")
            return
        }
        #expect(object["a"] == .integer(3))
        #expect(object.repeatedNames == ["a", "a"])
    }

    /// Texts of all lengths around the eight bytes that are looked at together, with a special character at each place.
    @Test(arguments: 0...20)
    func `the end of a text is found at every place`(length: Int) throws {
        let plain = String(repeating: "z", count: length)
        for tail in ["", "\\n", "é", "\\\\", "\\\"", " ", "!", "#", "[", "]", "~", "\u{7F}"] {
            let value = try JSONValue(#"["\#(plain)\#(tail)\#(plain)",2]"#)
            let read = tail.replacing("\\n", with: "\n").replacing("\\\\", with: "\\").replacing("\\\"", with: "\"")
            #expect(value == .array([.string(plain + read + plain), .integer(2)]))
        }
        for control in 0..<0x20 as Range<UInt8> {
            let text = Array("\"\(plain)".utf8) + [control] + Array("\(plain)\"".utf8)
            #expect(throws: JSONSyntaxError(.controlCharacter, at: length + 1)) { try JSONReader.value(of: text) }
        }
    }
}
