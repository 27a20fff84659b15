import Foundation
import LedgerCore
import Testing

@Suite struct JSONWriterTests {
    @Test func `members, elements and nested values are separated by commas`() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("a", "x")
        writer.name("list")
        writer.beginArray()
        writer.integer(1)
        writer.beginArray()
        writer.endArray()
        writer.beginObject()
        writer.endObject()
        writer.null()
        writer.boolean(false)
        writer.endArray()
        writer.name(escaping: "q\"\\")
        writer.raw(Array(#"{"k":[1,2]}"#.utf8))
        writer.member("none", String?.none)
        writer.member("id", ProductID(rawValue: "p") as ProductID?)
        writer.member("time", Instant(milliseconds: 0) as Instant?)
        writer.member("yes", true as Bool?)
        writer.member("position", Position(7))
        writer.endObject()
        let expected =
            #"{"a":"x","list":[1,[],{},null,false],"q\"\\":{"k":[1,2]},"none":null,"id":"p","#
            + #""time":"1970-01-01T00:00:00.000Z","yes":true,"position":7}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    @Test func `members without a value can be left out`() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.memberIfPresent("a", String?.none)
        writer.memberIfPresent("b", ProductID?.none)
        writer.memberIfPresent("c", Instant?.none)
        writer.memberIfPresent("d", Bool?.none)
        writer.memberIfPresent("e", Int64?.none)
        writer.memberIfPresent("f", Open<OfferType>?.none)
        writer.memberIfPresent("g", Int?.none) { _, _ in Issue.record("there is nothing to write") }
        writer.memberIfPresent("h", [Int]?.none, each: { _, _ in Issue.record("there is nothing to write") })
        writer.memberIfPresent("i", Open<OfferType>(rawValue: 99))
        writer.memberIfPresent("j", [] as [Int]?, each: { _, _ in Issue.record("there is nothing to write") })
        writer.memberIfPresent("k", [5, 6] as [Int64]?, each: { $1.member("n", $0 as Int64?) })
        writer.endObject()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"i":99,"j":[],"k":[{"n":5},{"n":6}]}"#)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a decoder reads back any texts and integers`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let members = (0..<8).map { _ in (random.text(), random.integer()) }
            var writer = JSONWriter()
            writer.beginArray()
            for (text, integer) in members {
                writer.beginObject()
                writer.name(escaping: text)
                writer.integer(integer)
                writer.endObject()
                writer.string(text)
            }
            writer.endArray()
            let elements = try JSONDecoder().decode([TextOrIntegers].self, from: Data(writer.bytes))
            let expected = members.flatMap { [TextOrIntegers.integers([$0: $1]), .text($0)] }
            #expect(elements == expected, "seed \(seed)")
            #expect(try JSONReader.value(of: writer.bytes).elements?.count == 16, "seed \(seed)")
        }
    }

    @Test func `every control character is escaped`() throws {
        for code in 0..<0x20 as Range<UInt8> {
            var writer = JSONWriter()
            writer.string(String(Unicode.Scalar(code)))
            #expect(writer.bytes.allSatisfy { $0 >= 0x20 })
            #expect(try JSONReader.value(of: writer.bytes) == .string(String(Unicode.Scalar(code))))
        }
    }

    @Test func `integers of any type are written in full`() {
        var writer = JSONWriter()
        writer.beginArray()
        writer.integer(Int64.min)
        writer.integer(Int64.max)
        writer.integer(UInt64.max)
        writer.integer(Int8(-1))
        writer.endArray()
        let expected = "[-9223372036854775808,9223372036854775807,18446744073709551615,-1]"
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    private enum TextOrIntegers: Decodable, Equatable {
        case text(String)
        case integers([String: Int64])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .integers(try container.decode([String: Int64].self))
            }
        }
    }
}
