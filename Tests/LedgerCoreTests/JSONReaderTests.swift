import Foundation
import LedgerCore
import Testing

@Suite struct JSONReaderTests {
    @Test(
        arguments: [
            ("null", .null), (" \t\r\n true ", .boolean(true)), ("false", .boolean(false)), ("0", .integer(0)),
            ("-0", .integer(0)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number("9223372036854775808")),
            ("-9223372036854775809", .number("-9223372036854775809")),
            ("1.0", .number("1.0")), ("1e3", .number("1e3")), ("-1.50E+07", .number("-1.50E+07")),
            ("1e400", .number("1e400")),
            ("1000000000000000000.5", .number("1000000000000000000.5")), (#""""#, .string("")),
            (#""a/b""#, .string("a/b")),
            (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
            (#""\u00e9\uD83D\uDE00\u0000""#, .string("é😀\u{0}")),
            ("\"é€😀\u{7F}\u{2028}\"", .string("é€😀\u{7F}\u{2028}")), ("[]", .array([])),
            ("[ 1 , [ ] ]", .array([.integer(1), .array([])])),
            ("{}", .members([:])),
            (#"{ "a" : 1 , "b":{"":null} }"#, .members(["a": .integer(1), "b": .members(["": .null])])),
            (#"{"\u0061":1}"#, .members(["a": .integer(1)])),
        ] as [(String, JSONValue)]
    )
    func `a JSON text has its value`(text: String, value: JSONValue) throws { #expect(try JSONValue(text) == value) }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "NaN", "Infinity", "+1", "01", "-", "-01", ".5", "1.", "1e", "1e+", "0x10",
        "1_000", "1 2", "[", "[1",
        "[1,]", "[,1]", "[1 2]", "]", "{", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a" 1}"#,
        "{a:1}", "{1:1}", "{'a':1}",
        #"{"a":1}}"#, #"{"a":1} x"#, #""a"#, #""\q""#, #""\u12""#, #""\u12G4""#, #""\"#, "\"\n\"", "\"\u{0}\"",
        "/*c*/1", "1//c", "\u{FEFF}1",
        #"{"\ud800":1}"#,
    ])
    func `anything but one JSON value is refused`(text: String) {
        #expect(throws: JSONReaderError.self) { try JSONValue(text) }
    }

    @Test(
        arguments: [
            [0xFF], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x90, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0x80],
        ] as [[UInt8]]
    )
    func `a text that is not UTF-8 is refused`(bytes: [UInt8]) {
        for filler in 0..<9 {
            let text = Array("\"".utf8) + Array(repeating: 0x61, count: filler) + bytes + Array("\"".utf8)
            #expect(throws: JSONReaderError.self) { try JSONReader.value(of: text) }
            #expect(throws: JSONReaderError.self) {
                try JSONReader.value(of: Array(#"{"a\n":"#.utf8) + text + Array("}".utf8))
            }
        }
    }

    @Test(arguments: [#"\ud800"#, #"\udc00"#, #"\ud800\ud800"#, #"x\ud83d\n"#, #"\ud83dx"#, #"\ude00\ud83d"#])
    func `a text with half of a surrogate pair is kept as it was written`(text: String) throws {
        let json = #"["\#(text)",1]"#
        #expect(try JSONValue(json) == .array([.unreadableString(text), .integer(1)]))
        #expect(try JSONValue(json).bytes == Array(json.utf8))
    }

    @Test func `nesting is limited`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONValue(nested(JSONReader.depthMax))
        _ = try JSONValue(String(repeating: #"{"a":"#, count: 64) + "1" + String(repeating: "}", count: 64))
        #expect(throws: JSONReaderError.tooDeep(offset: 64)) { try JSONValue(nested(JSONReader.depthMax + 1)) }
        #expect(throws: JSONReaderError.self) { try JSONValue(String(repeating: "[", count: 1_000_000)) }
    }

    @Test func `of a name that comes twice the last value counts, and the name is listed`() throws {
        guard case .object(let object) = try JSONValue(#"{"a":1,"b":2,"a":{},"\u0061":3}"#) else {
            Issue.record("not an object")
            return
        }
        #expect(object["a"] == .integer(3))
        #expect(object.repeatedNames == ["a", "a"])
    }

    @Test(
        arguments: [
            (.unexpected(offset: 3), "The JSON text is broken at byte 3."),
            (.notUTF8(offset: 9), "The JSON text holds a text that is not UTF-8 at byte 9."),
            (.tooDeep(offset: 64), "The JSON text is nested deeper than 64 levels at byte 64: send a flatter one."),
        ] as [(JSONReaderError, String)]
    )
    func `a refusal says where`(error: JSONReaderError, sentence: String) { #expect(error.description == sentence) }

    /// Texts of all lengths around the eight bytes that are looked at together, with a special character at each place.
    @Test(arguments: 0...20)
    func `the end of a text is found at every place`(length: Int) throws {
        let plain = String(repeating: "z", count: length)
        for tail in ["", "\\n", "é", "\\\\", "\\\"", " ", "!", "#", "[", "]", "~"] {
            let value = try JSONValue(#"["\#(plain)\#(tail)\#(plain)",2]"#)
            let read = tail.replacing("\\n", with: "\n").replacing("\\\\", with: "\\").replacing("\\\"", with: "\"")
            #expect(value == .array([.string(plain + read + plain), .integer(2)]))
        }
        for control in 0..<0x20 as Range<UInt8> {
            let text = Array("\"\(plain)".utf8) + [control] + Array("\(plain)\"".utf8)
            #expect(throws: JSONReaderError.unexpected(offset: length + 1)) { try JSONReader.value(of: text) }
        }
    }
}

/// Random values against Foundation's decoder, which accepts more than we do but must agree where we accept.
@Suite struct JSONReaderPropertyTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a value survives being written and read`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let value = random.json(depth: 4)
            let bytes = value.bytes
            #expect(try JSONReader.value(of: bytes) == value, "seed \(seed)")
            #expect(try JSONDecoder().decode(FoundationJSON.self, from: Data(bytes)).value == value, "seed \(seed)")
        }
    }

    @Test(arguments: 1...16 as ClosedRange<UInt64>)
    func `a damaged text is refused, or read as Foundation reads it`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let spice = Array(#"{}[]:,"\u0123456789eE+-. tfnrl"#.utf8) + [0x00, 0x1F, 0x80, 0xC3, 0xED, 0xFF]
        var accepted = 0
        for _ in 0..<300 {
            var bytes = random.json(depth: 3).bytes
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                let byte = spice.randomElement(using: &random) ?? 0
                if Bool.random(using: &random) { bytes[place] = byte } else { bytes.insert(byte, at: place) }
            }
            guard let value = try? JSONReader.value(of: bytes), value.isInReachOfFoundation else { continue }
            accepted += 1
            let other = try? JSONDecoder().decode(FoundationJSON.self, from: Data(bytes)).value
            #expect(other == value, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(accepted > 0, "seed \(seed) compared nothing")
    }
}

extension SplitMix64 {
    /// A value of at most this depth.
    ///
    /// Numbers other than integers are left out: their text is ours alone.
    fileprivate mutating func json(depth: Int) -> JSONValue {
        switch UInt8.random(in: 0..<(depth > 0 ? 6 : 4), using: &self) {
        case 0: .null
        case 1: .boolean(Bool.random(using: &self))
        case 2: .integer(integer())
        case 3: .string(text())
        case 4: .array((0..<Int.random(in: 0...4, using: &self)).map { _ in json(depth: depth - 1) })
        default:
            .members(
                Dictionary((0..<Int.random(in: 0...4, using: &self)).map { _ in (text(), json(depth: depth - 1)) }) {
                    $1
                }
            )
        }
    }
}

extension JSONValue {
    /// Whether the value has none of what Foundation cannot represent or reads differently: other numbers, halves of
    /// surrogate pairs, repeated names.
    fileprivate var isInReachOfFoundation: Bool {
        switch self {
        case .number, .unreadableString: false
        case .array(let elements): elements.allSatisfy(\.isInReachOfFoundation)
        case .object(let object):
            object.repeatedNames.isEmpty && object.members.values.allSatisfy(\.isInReachOfFoundation)
        default: true
        }
    }
}

/// A value as Foundation's decoder sees it.
private struct FoundationJSON: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let boolean = try? container.decode(Bool.self) {
            value = .boolean(boolean)
        } else if let integer = try? container.decode(Int64.self) {
            value = .integer(integer)
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let elements = try? container.decode([FoundationJSON].self) {
            value = .array(elements.map(\.value))
        } else {
            value = .members(try container.decode([String: FoundationJSON].self).mapValues(\.value))
        }
    }
}
