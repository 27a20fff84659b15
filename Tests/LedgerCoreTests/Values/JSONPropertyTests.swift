import Foundation
import LedgerCore
import Testing

/// Random and damaged texts: all ways to walk a text agree with each other, and with Foundation's decoder, which
/// accepts more than we do but must agree where we accept.
@Suite struct JSONPropertyTests {
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

    @Test(arguments: 1...24 as ClosedRange<UInt64>)
    func `the scanner accepts what the reader accepts, and refuses the rest at the same byte`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var accepted = 0
        var refused = 0
        for _ in 0..<400 {
            let whole = random.jsonText()
            for text in [whole, random.damaged(whole)] {
                let read = Self.verdict { () throws(JSONSyntaxError) in _ = try JSONReader.value(of: text) }
                let skipped = Self.verdict { () throws(JSONSyntaxError) in
                    var scanner = JSONScanner(text)
                    try scanner.skipValue()
                    try scanner.finish()
                }
                let message: Comment = "seed \(seed): \(String(decoding: text, as: UTF8.self))"
                #expect(read == skipped, message)
                if text == whole { #expect(read == nil, message) }
                if read == nil { accepted += 1 } else { refused += 1 }
            }
        }
        #expect(accepted > 400 && refused > 100, "seed \(seed) compared too little")
    }

    private static func verdict(_ body: () throws(JSONSyntaxError) -> Void) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) { try body() } catch { return error }
        return nil
    }

    @Test(arguments: 1...24 as ClosedRange<UInt64>)
    func `what we accept, Foundation reads alike`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var compared = 0
        for _ in 0..<300 {
            let bytes = random.damaged(Bool.random(using: &random) ? random.jsonText() : random.json(depth: 3).bytes)
            guard let value = try? JSONReader.value(of: bytes), value.isInReachOfFoundation else { continue }
            compared += 1
            let other = try? JSONDecoder().decode(FoundationJSON.self, from: Data(bytes)).value
            #expect(other == value.asFoundationSeesIt, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(compared > 0, "seed \(seed) compared nothing")
    }
}

extension JSONValue {
    /// Whether the value has none of what Foundation cannot represent or reads differently: numbers that are not whole
    /// and longer than a `Double` is exact, halves of surrogate pairs, repeated names.
    fileprivate var isInReachOfFoundation: Bool {
        switch self {
        case .number(let text): text.utf8.count <= 15
        case .unreadableString: false
        case .array(let elements): elements.allSatisfy(\.isInReachOfFoundation)
        case .object(let object):
            object.repeatedNames.isEmpty && object.members.values.allSatisfy(\.isInReachOfFoundation)
        default: true
        }
    }

    /// The value with every number as an integer where it is one, and else without its text.
    fileprivate var asFoundationSeesIt: JSONValue {
        switch self {
        case .number(let text):
            var scanner = JSONScanner(Array(text.utf8))
            guard let number = try? scanner.readNumber(), !number.hasFraction, let integer = number.integer else {
                return .number("")
            }
            return .integer(integer)
        case .array(let elements): return .array(elements.map(\.asFoundationSeesIt))
        case .object(let object): return .members(object.members.mapValues(\.asFoundationSeesIt))
        default: return self
        }
    }
}

/// A value as Foundation's decoder sees it; a number that is no `Int64` is `.number("")`.
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
        } else if let members = try? container.decode([String: FoundationJSON].self) {
            value = .members(members.mapValues(\.value))
        } else {
            value = .number("")
        }
    }
}
