import Foundation
import LedgerCore
import Testing

@Suite struct InstantTests {
    private static let millisecondsPerYear: Int64 = 31_556_952_000
    /// 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z.
    private static let rfc3339Range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_767_571_200_000, "2026-01-05T00:00:00.000Z"),
            (951_868_799_999, "2000-02-29T23:59:59.999Z"), (rfc3339Range.lowerBound, "0000-01-01T00:00:00.000Z"),
            (rfc3339Range.upperBound, "9999-12-31T23:59:59.999Z"), (-62_135_769_600_000, "0000-12-30T00:00:00.000Z"),
            (rfc3339Range.upperBound + 1, "+10000-01-01T00:00:00.000Z"),
            (rfc3339Range.lowerBound - 1, "-1-12-31T23:59:59.999Z"),
            (.max, "+292278994-08-17T07:12:55.807Z"), (.min, "-292275055-05-16T16:47:04.192Z"),
        ] as [(Int64, String)]
    )
    func `an instant is written in UTC with milliseconds`(milliseconds: Int64, text: String) {
        #expect(Instant(milliseconds: milliseconds).description == text)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `an instant of the years 0 to 9999 survives its text`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            let instant = Instant(milliseconds: .random(in: Self.rfc3339Range, using: &random))
            #expect(instant.description.utf8.count == 24)
            #expect(Instant(rfc3339: instant.description) == instant, "seed \(seed)")
        }
    }

    /// Outside RFC 3339's years the text has more digits, but the day and the time are still those of the calendar.
    @Test(arguments: 11...14 as ClosedRange<UInt64>)
    func `an instant within 10,000 years of 1970 shows its calendar day and time`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1000 {
            let range = -10_000 * Self.millisecondsPerYear...10_000 * Self.millisecondsPerYear
            let milliseconds = Int64.random(in: range, using: &random)
            let (days, rest) = milliseconds.flooredDivision(by: 86_400_000)
            let date = CivilDate(daysSince1970: days)
            let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { String(format: "%02d", $0) }
            let ending =
                String(format: "-%02d-%02dT", date.month, date.day) + time.joined(separator: ":")
                + String(format: ".%03dZ", rest % 1000)
            let text = Instant(milliseconds: milliseconds).description
            #expect(text.hasSuffix(ending), "seed \(seed)")
            #expect(Int64(text.dropLast(ending.count)) == date.year, "seed \(seed)")
        }
    }

    @Test(arguments: 21...24 as ClosedRange<UInt64>)
    func `an offset shifts the time`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let minutes = Int64.random(in: -1439...1439, using: &random)
            let local = Instant(milliseconds: .random(in: 0...4_102_444_800_000, using: &random))
            let offset = String(format: "%@%02d:%02d", minutes < 0 ? "-" : "+", abs(minutes) / 60, abs(minutes) % 60)
            let text = local.description.dropLast() + offset
            #expect(Instant(rfc3339: String(text)) == local.adding(milliseconds: -minutes * 60_000), "seed \(seed)")
        }
    }

    @Test(
        arguments: [
            ("2026-01-05T00:00:00Z", 1_767_571_200_000), ("2026-01-05t00:00:00z", 1_767_571_200_000),
            ("2026-01-05 00:00:00Z", 1_767_571_200_000), ("2026-01-05T00:00:00.5Z", 1_767_571_200_500),
            ("2026-01-05T00:00:00.1239999Z", 1_767_571_200_123), ("2026-01-05T01:00:00-00:00", 1_767_574_800_000),
            ("1767571200000", 1_767_571_200_000), ("-5", -5), ("0", 0),
        ] as [(String, Int64)]
    )
    func `a query takes RFC 3339 or milliseconds`(text: String, milliseconds: Int64) {
        #expect(Instant(query: text) == Instant(milliseconds: milliseconds))
    }

    @Test(arguments: [
        "", " ", "2026", "2026-01-05", "2026-01-05T00:00Z", "2026-01-05T00:00:00", "2026-1-5T00:00:00Z",
        "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-05T24:00:00Z", "2026-01-05T00:60:00Z",
        "2026-12-31T23:59:60Z", "2026-01-05T00:00:00.Z", "2026-01-05T00:00:00,5Z", "2026-01-05T00:00:00+24:00",
        "2026-01-05T00:00:00+0100", "2026-01-05T00:00:00ZZ", "+2026-01-05T00:00:00Z", "２０２６-01-05T00:00:00Z",
        "9223372036854775808", "1e3", "1.5",
    ])
    func `anything else is no time`(text: String) {
        if text != "2026" { #expect(Instant(query: text) == nil) }
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test(arguments: 31...34 as ClosedRange<UInt64>)
    func `a damaged time is refused or is another valid time`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            var text = Array(Instant(milliseconds: .random(in: Self.rfc3339Range, using: &random)).description.utf8)
            for _ in 0...Int.random(in: 0...2, using: &random) {
                text[Int.random(in: text.indices, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
            }
            if let instant = Instant(rfc3339: String(decoding: text, as: UTF8.self)) {
                #expect(
                    Instant(rfc3339: instant.description) == instant
                        || !Self.rfc3339Range.contains(instant.milliseconds)
                )
            }
        }
    }

    @Test func `adding stops at the ends of 64 bits`() {
        #expect(Instant(milliseconds: .max).adding(milliseconds: 1).milliseconds == .max)
        #expect(Instant(milliseconds: .min).adding(milliseconds: -1).milliseconds == .min)
        #expect(Instant(milliseconds: 5).adding(milliseconds: -7).milliseconds == -2)
    }

    @Test func `an instant is a bare integer in JSON`() throws {
        let instants = [Instant(milliseconds: .min), Instant(milliseconds: 1_698_148_900_000)]
        let json = try JSONEncoder().encode(instants)
        #expect(String(decoding: json, as: UTF8.self) == "[-9223372036854775808,1698148900000]")
        #expect(try JSONDecoder().decode([Instant].self, from: json) == instants)
    }
}
