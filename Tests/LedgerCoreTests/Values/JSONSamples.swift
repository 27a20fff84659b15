import LedgerCore

/// Texts that are JSON with what they mean, texts that are none, and random ones in between.
enum JSONSamples {
    static let values: [(text: String, value: JSONValue)] = [
        ("null", .null), (" \t\r\n true ", .boolean(true)), ("false", .boolean(false)),
        ("0", .integer(0)), ("-0", .integer(0)), ("-12", .integer(-12)),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .number("9223372036854775808")),
        ("-9223372036854775809", .number("-9223372036854775809")),
        ("1.0", .number("1.0")), ("-0.25", .number("-0.25")), ("1e3", .number("1e3")), ("1E+2", .number("1E+2")),
        ("15e-1", .number("15e-1")), ("-1.50E+07", .number("-1.50E+07")), ("1e400", .number("1e400")),
        ("1000000000000000000.5", .number("1000000000000000000.5")),
        (#""""#, .string("")), (#""a/b""#, .string("a/b")),
        (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
        (#""\u00e9\uD83D\uDE00\u0000\u0041""#, .string("é😀\u{0}A")),
        ("\"é€😀\u{7F}\u{2028}\"", .string("é€😀\u{7F}\u{2028}")),
        (#""\ud800""#, .unreadableString(#"\ud800"#)), (#""\udc00""#, .unreadableString(#"\udc00"#)),
        (#""é\ud800\u0041""#, .unreadableString(#"é\ud800\u0041"#)),
        ("[]", .array([])), ("[ 1 , [ ] ]", .array([.integer(1), .array([])])),
        ("{}", .members([:])), (#"{"":""}"#, .members(["": .string("")])),
        (#"{ "a" : 1 , "b":{"":null} }"#, .members(["a": .integer(1), "b": .members(["": .null])])),
        (#"{"\u0061":1}"#, .members(["a": .integer(1)])),
        ("\t\r\n{ \"a\" : [ { } , [ ] ] }\n", .members(["a": .array([.members([:]), .array([])])])),
        (
            #"{"a":{"b":[1,{"c":null}]},"d":true}"#,
            .members([
                "a": .members(["b": .array([.integer(1), .members(["c": .null])])]), "d": .boolean(true),
            ])
        ),
    ]

    static let broken: [String] = [
        "", " ", "nul", "nulll", "tru", "truex", "True", "NaN", "Infinity",
        "+1", "01", "-", "-01", "--1", ".5", "1.", "1.2.3", "1e", "1e+", "0x10", "1_000", "1 2", "1 1", "null,",
        "[", "[1", "[1,]", "[,1]", "[1 2]", "]", "[}", "[1]x",
        "{", "}", "{]", #"{"a""#, #"{"a"}"#, #"{"a":"#, #"{"a":}"#, #"{"a":1"#, #"{"a":1,}"#, #"{,"a":1}"#,
        #"{"a" 1}"#, "{a:1}", "{1:1}", "{'a':1}", #"{"a":1}}"#, #"{"a":1} x"#, "{} {}",
        #"""#, #""a"#, #""\"#, #""\q""#, #""\x""#, #""\u12""#, #""\u12G4""#, #""\ud800\u12g4""#, #""\ud800\"#,
        "\"\n\"", "\"\u{0}\"", "\"\u{1}\"", "/*c*/1", "// a\n1", "1//c", "\u{FEFF}1", "\u{FEFF}{}",
    ]

    /// Arrays, one in the other.
    static func nested(_ depth: Int) -> [UInt8] {
        Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
}

extension SplitMix64 {
    /// A value of at most this depth, with integers as its only numbers, because their text alone is free.
    mutating func json(depth: Int) -> JSONValue {
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

    /// The text of a random value, with samples among its elements and white space around its tokens.
    mutating func jsonText() -> [UInt8] {
        let count = Int.random(in: 0...3, using: &self)
        let samples = (0..<count).map { _ in
            JSONSamples.values.randomElement(using: &self)?.text ?? ""
        }
        let elements = [String(decoding: json(depth: 3).bytes, as: UTF8.self)] + samples
        let spaces = [" ", "\n", "", "\t", "\r\n"].randomElement(using: &self) ?? ""
        return Array("[\(spaces)\(elements.shuffled(using: &self).joined(separator: spaces + ","))]".utf8)
    }

    /// The text with one to three bytes or tokens put in, replaced or taken out.
    mutating func damaged(_ text: [UInt8]) -> [UInt8] {
        let tokens = ["\"\\ud800\"", "\"a\":", "00", "1e2", ".5", "{}", "[]", "\\u0041", "true", "é"].map {
            Array($0.utf8)
        }
        let spice = Array(#"{}[]:,"\u0123456789eE+-. tfnrl"#.utf8) + [0x00, 0x1F, 0x80, 0xC3, 0xED, 0xFF]
        var text = text
        for _ in 0...Int.random(in: 0...2, using: &self) {
            let place = Int.random(in: 0...text.count, using: &self)
            switch UInt8.random(in: 0..<4, using: &self) {
            case 0: text.insert(contentsOf: tokens.randomElement(using: &self) ?? [], at: place)
            case 1: text.insert(spice.randomElement(using: &self) ?? 0, at: place)
            case 2 where place < text.count: text[place] = spice.randomElement(using: &self) ?? 0
            default: text.removeSubrange(place..<min(place + 1, text.count))
            }
        }
        return text
    }
}
