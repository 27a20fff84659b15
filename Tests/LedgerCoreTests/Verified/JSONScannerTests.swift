import FoundationEssentials
import LedgerCore
import Testing

/// The scanner accepts only JSON, and understands it as Foundation's decoder does.
struct JSONScannerTests {
    /// Any JSON value, as the decoder sees it.
    private enum Value: Decodable, Equatable {
        case null, bool(Bool), integer(Int64), fraction, text(String), list([Value]), object([String: Value])

        init(from decoder: any Decoder) throws {
            if let object = try? decoder.container(keyedBy: Key.self) {
                var members: [String: Value] = [:]
                for key in object.allKeys { members[key.stringValue] = try object.decode(Value.self, forKey: key) }
                self = .object(members)
                return
            }
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .integer(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([Value].self) {
                self = .list(value)
            } else {
                self = .fraction
            }
        }

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    /// Reads a value with the scanner into the same shape.
    private static func read(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> Value {
        switch scanner.peek() {
        case UInt8(ascii: "{"):
            var members: [String: Value] = [:]
            try scanner.readObject { scanner, name throws(JSONSyntaxError) in
                let value = try read(&scanner)
                let name = scanner.string(name)
                if members[name] == nil { members[name] = value }  // the decoder keeps the first, too
            }
            return .object(members)
        case UInt8(ascii: "["):
            var list: [Value] = []
            try scanner.readArray { scanner throws(JSONSyntaxError) in list.append(try read(&scanner)) }
            return .list(list)
        case UInt8(ascii: "\""): return .text(scanner.string(try scanner.readString()))
        case UInt8(ascii: "n"):
            try scanner.skipValue()
            return .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            let isTrue = scanner.peek() == UInt8(ascii: "t")
            try scanner.skipValue()
            return .bool(isTrue)
        default:
            let number = try scanner.readNumber()
            return number.hasFraction || number.integer == nil ? .fraction : .integer(number.integer ?? 0)
        }
    }

    private static func read(_ text: [UInt8]) throws(JSONSyntaxError) -> Value {
        var scanner = JSONScanner(text)
        let value = try read(&scanner)
        try scanner.finish()
        return value
    }

    private static func skip(_ text: [UInt8]) throws(JSONSyntaxError) {
        var scanner = JSONScanner(text)
        try scanner.skipValue()
        try scanner.finish()
    }

    @Test(arguments: [
        "{}", "[]", "null", "true", "false", "0", "-0", "1", "-12", "9223372036854775807", "-9223372036854775808",
        "1.5", "-0.25", "1e3", "1E+2", "15e-1", "1.50e1", "100e-2", #""""#, #""a""#, #""é漢😀""#, " [ 1 , 2 ] ",
        "\t\r\n{ \"a\" : [ { } , [ ] ] }\n", #""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00\u0000""#,
        #"{"a":{"b":[1,{"c":null}]},"d":true}"#, #"{"a":1,"a":2}"#, #"{"":""}"#, #"{"\u0061":1}"#,
    ])
    func `text that is JSON means what the decoder says`(_ text: String) throws {
        let bytes = Array(text.utf8)
        #expect(try Self.read(bytes) == JSONDecoder().decode(Value.self, from: Data(bytes)))
        #expect(throws: Never.self) { try Self.skip(bytes) }
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "]", "{]", "[}", "[1,]", #"{"a":1,}"#, "{a:1}", "{'a':1}", #"{"a"}"#, #"{"a":}"#,
        #"{"a" 1}"#, "[1 2]", "[,1]", "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", "tru",
        "truex",
        "nul", "True", #"""#, #""a"#, #""\"#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud800""#, #""\ud800\u0041""#,
        #""\udc00""#, "\"\u{1}\"", "\"\n\"", "1 1", "{} {}", "null,", "\u{FEFF}{}", "// a\n1", "[1]x", "--1", "1.2.3",
    ])
    func `text that is not JSON is refused`(_ text: String) {
        #expect(throws: JSONSyntaxError.self) { try Self.read(Array(text.utf8)) }
        #expect(throws: JSONSyntaxError.self) { try Self.skip(Array(text.utf8)) }
    }

    @Test(arguments: [
        [0x22, 0xC3, 0x22], [0x22, 0xFF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22],
    ])
    func `text that is not UTF-8 is refused`(_ bytes: [UInt8]) {
        #expect(throws: JSONSyntaxError(.notUTF8, at: 0)) { try Self.skip(bytes) }
    }

    @Test func `nesting has a limit`() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try Self.skip(nested(JSONScanner.depthMax)) }
        #expect(throws: JSONSyntaxError.self) { try Self.skip(nested(JSONScanner.depthMax + 1)) }
        #expect(throws: JSONSyntaxError.self) { try Self.skip([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)) }
    }

    @Test(
        arguments: [
            ("1e2", 100, false), ("12.9", 12, true), ("-12.9", -12, true), ("0.9", 0, true), ("1e-3", 0, true),
            ("1230e-1", 123, false), ("1697679936049.7297", 1_697_679_936_049, true),
            ("-62135769600000", -62_135_769_600_000, false),
            ("9223372036854775808", nil, false), ("-9223372036854775809", nil, false), ("1e19", nil, false),
            ("0e999999999999", 0, false), ("1e999999999999", nil, false), ("1e-999999999999", 0, true),
            ("0.000", 0, false),
        ] as [(String, Int64?, Bool)]
    )
    func `a number is cut off towards zero, exactly`(_ text: String, _ integer: Int64?, _ hasFraction: Bool) throws {
        var scanner = JSONScanner(Array(text.utf8))
        let number = try scanner.readNumber()
        #expect(number.integer == integer)
        #expect(number.hasFraction == hasFraction)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `random text: what the scanner accepts, the decoder reads alike`(_ seed: UInt64) throws {
        var random = Generator(state: seed)
        let tokens = [
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "\"\\u0041\"", "\"é\"", "1", "-2", "3.5", "1e2", "0",
            "true",
            "false", "null", " ", "\n", "\"", "\\", "x", "00",
        ]
        for _ in 0..<300 {
            var text = Self.randomValue(depth: 3, using: &random)
            let isSpoilt = random.below(2) == 0
            if isSpoilt {  // put a token in, or take a character out
                let place = text.index(text.startIndex, offsetBy: random.below(text.count + 1))
                if random.below(2) == 0 {
                    text.insert(contentsOf: tokens[random.below(tokens.count)], at: place)
                } else if place < text.endIndex {
                    text.remove(at: place)
                }
            }
            let bytes = Array(text.utf8)
            let decoded = try? JSONDecoder().decode(Value.self, from: Data(bytes))
            let scanned = try? Self.read(bytes)
            if let scanned { #expect(scanned == decoded, "seed \(seed): \(text)") }
            // Not the other way round: the decoder looks at numbers and escapes only when they are asked for.
            if !isSpoilt { #expect(scanned != nil, "seed \(seed): \(text)") }
            #expect(((try? Self.skip(bytes)) != nil) == (scanned != nil), "seed \(seed): \(text)")
        }
    }

    private static func randomValue(depth: Int, using random: inout Generator) -> String {
        switch random.below(depth > 0 ? 8 : 6) {
        case 0: return "null"
        case 1: return ["true", "false"][random.below(2)]
        case 2: return String(Int64(random.below(2_000_001)) - 1_000_000)
        case 3: return ["1.25", "-0.5", "2e3", "10E-1", "0.0"][random.below(5)]
        case 4: return ["\"\"", "\"text\"", "\"\\n\\\"\"", "\"\\ud83d\\ude00\"", "\"漢é\""][random.below(5)]
        case 5: return ["[]", "{}", " 1 ", "\"\\/\""][random.below(4)]
        case 6:
            return "["
                + (0..<random.below(4)).map { _ in randomValue(depth: depth - 1, using: &random) }.joined(
                    separator: ", "
                ) + "]"
        default:
            let members = (0..<random.below(4)).map { "\"m\($0)\":\(randomValue(depth: depth - 1, using: &random))" }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    /// A small generator of random choices that a seed repeats.
    private struct Generator {
        var state: UInt64
        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
    }
}
