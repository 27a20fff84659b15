import Foundation
import TestSupport
import Testing

@testable import LedgerCore

/// Time zones as values: rules, histories, and files of the system.
@Suite("Zones")
struct ZoneOffsetsTests {
    private static let zones = URL(filePath: "/usr/share/zoneinfo")
    private static let arePresent: Bool =
        FileManager.default.fileExists(atPath: zones.path) || ProcessInfo.processInfo.environment["CI"] == "true"

    private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    @Test(arguments: [
        ("2026-03-08T09:59:59Z", -8), ("2026-03-08T10:00:00Z", -7), ("2026-11-01T08:59:59Z", -7),
        ("2026-11-01T09:00:00Z", -8), ("2026-07-01T00:00:00Z", -7), ("2026-01-01T00:00:00Z", -8),
        ("2008-07-10T00:00:00Z", -7), ("2040-12-31T23:59:59Z", -8),
    ])
    func `Cupertino has its offsets`(text: String, hours: Int64) throws {
        #expect(ZoneOffsets.pacific.offset(at: try instant(text)) == hours * 3600)
    }

    @Test(.enabled(if: arePresent, "the system has no tzdata"))
    func `the rule is what tzdata says, in every hour from 2007 to 2060`() throws {
        let zone = try ZoneOffsets(tzif: Array(try Data(contentsOf: Self.zones.appending(path: "America/Los_Angeles"))))
        let begin = try instant("2007-01-01T00:00:00Z").milliseconds
        let end = try instant("2060-01-01T00:00:00Z").milliseconds
        let differing = stride(from: begin, to: end, by: 3_600_000).first { millisecond in
            let instant = Instant(milliseconds: millisecond)
            return zone.offset(at: instant) != ZoneOffsets.pacific.offset(at: instant)
        }
        #expect(differing == nil)
        // Before the rule there were others.
        #expect(zone.offset(at: try instant("2006-04-01T12:00:00Z")) == -8 * 3600)
        #expect(zone.offset(at: try instant("2006-04-02T12:00:00Z")) == -7 * 3600)
        #expect(zone.offset(at: try instant("1883-01-01T00:00:00Z")) == -28_378)
    }

    @Test(
        .enabled(if: arePresent, "the system has no tzdata"),
        arguments: ["America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata", "Australia/Sydney", "Africa/Cairo", "UTC"]
    )
    func `offsets and days are Foundation's`(_ name: String) throws {
        let zone = try ZoneOffsets(tzif: Array(try Data(contentsOf: Self.zones.appending(path: name))))
        let foundation = try #require(TimeZone(identifier: name))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = foundation
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let second = Int64.random(in: 0..<2_145_000_000, using: &random)
            let date = Date(timeIntervalSince1970: Double(second))
            let instant = Instant(milliseconds: second * 1000)
            #expect(zone.offset(at: instant) == Int64(foundation.secondsFromGMT(for: date)), "\(second)")
            let start = calendar.startOfDay(for: date).timeIntervalSince1970
            #expect(zone.startOfDay(zone.day(of: instant)).milliseconds == Int64(start * 1000), "\(second)")
        }
    }

    @Test func `where clocks jump over midnight the day begins with the jump`() throws {
        // From 00:00 to 01:00 on the last Friday of April.
        let zone = ZoneOffsets(rule: try ZoneRule(posix: "EET-2EEST,M4.5.5/0,M10.5.4/24"))
        let day = try #require(CivilDate(year: 2026, month: 4, day: 24))
        let start = zone.startOfDay(day)
        #expect(start == (try instant("2026-04-23T22:00:00Z")))
        #expect(zone.day(of: start) == day)
        #expect(zone.day(of: start.adding(milliseconds: -1)) == CivilDate(daysSince1970: day.daysSince1970 - 1))
    }

    @Test func `where midnight comes twice the day begins with the first`() throws {
        let zone = ZoneOffsets(rule: try ZoneRule(posix: "AZOT1AZOST,M3.5.0/0,M10.5.0/1"))
        let day = try #require(CivilDate(year: 2026, month: 10, day: 25))
        #expect(zone.startOfDay(day) == (try instant("2026-10-25T00:00:00Z")))
    }

    @Test func `south of the equator summer lies around the new year`() throws {
        let zone = ZoneOffsets(rule: try ZoneRule(posix: "AEST-10AEDT,M10.1.0,M4.1.0/3"))
        #expect(zone.offset(at: try instant("2026-01-01T00:00:00Z")) == 11 * 3600)
        #expect(zone.offset(at: try instant("2026-07-01T00:00:00Z")) == 10 * 3600)
        #expect(zone.offset(at: try instant("2025-12-31T13:30:00Z")) == 11 * 3600)
    }

    @Test(arguments: [
        ("UTC0", 0), ("<+0530>-5:30", 19_800), ("<-0930>9:30:15", -34_215), ("XYZ+3", -10_800),
    ])
    func `a rule without summer time is an offset`(text: String, offset: Int64) throws {
        let rule = try ZoneRule(posix: text)
        #expect(rule == ZoneRule(standardOffset: offset, summer: nil))
    }

    @Test func `the rule of Cupertino is read from its text`() throws {
        #expect(try ZoneRule(posix: "PST8PDT,M3.2.0,M11.1.0") == .pacific)
        #expect(try ZoneRule(posix: "PST8PDT7,M3.2.0/2,M11.1.0/02:00:00") == .pacific)
    }

    @Test(arguments: [
        ("", "a name of three letters is missing"), ("PS8", "a name of three letters is missing"),
        ("<PST8", "a name is not closed"), ("PST", "a number from 0 to 24 is missing"),
        ("PST25", "a number from 0 to 24 is missing"), ("PST24:01", "the offset is more than a day"),
        ("PST8PDT", "a number from 0 to 24 is missing"), ("PST8PDT,J60,J300", "a date of the form M3.2.0 is missing"),
        ("PST8PDT,M13.2.0,M11.1.0", "a number from 1 to 12 is missing"), ("PST8PDT,M3", "a date has no week"),
        ("PST8PDT,M3.6.0,M11.1.0", "a number from 1 to 5 is missing"), ("PST8PDT,M3.2", "a date has no weekday"),
        ("PST8PDT,M3.2.7,M11.1.0", "a number from 0 to 6 is missing"),
        ("PST8PDT,M3.2.0,M11.1.0 ", "something follows the rule"),
    ])
    func `a rule that cannot be read is refused with the reason`(text: String, reason: String) {
        let error = #expect(throws: FiscalError.self) { try ZoneRule(posix: text) }
        #expect(
            error?.description
                == "The time zone rule cannot be read (\(reason)): write it as POSIX TZ does, for example "
                + "PST8PDT,M3.2.0,M11.1.0."
        )
    }

    // MARK: Files

    /// A file with an empty part of version 1, two types and transitions at these seconds.
    private func file(
        version: String = "2",
        transitions: [(at: Int64, type: UInt8)] = [(0, 1)],
        offsets: [Int32] = [3600, 7200],
        leapSeconds: Int32 = 0,
        footer: String = "\n<+03>-3\n"
    ) -> [UInt8] {
        func big(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        func header(_ counts: [Int32]) -> [UInt8] {
            Array("TZif\(version)".utf8) + Array(repeating: 0, count: 15) + counts.flatMap(big)
        }
        var bytes = header([0, 0, 0, 0, 1, 0]) + Array(repeating: 0, count: 6)
        bytes += header([0, 0, leapSeconds, Int32(transitions.count), Int32(offsets.count), 4])
        bytes += transitions.flatMap { big($0.at) } + transitions.map(\.type)
        bytes += offsets.flatMap { big($0) + [0, 0] } + [0, 0, 0, 0]
        return bytes + Array(footer.utf8)
    }

    @Test func `a file tells what was before, between and after its transitions`() throws {
        let zone = try ZoneOffsets(tzif: file(transitions: [(0, 1), (100, 0), (200, 1)]))
        let seconds: [Int64] = [-1, 0, 99, 100, 199, 200, 999]
        let offsets = seconds.map { zone.offset(at: Instant(milliseconds: $0 * 1000)) }
        #expect(offsets == [3600, 7200, 7200, 3600, 3600, 10_800, 10_800])
        let quiet = try ZoneOffsets(tzif: file(footer: "\n\n"))
        #expect(quiet.offset(at: Instant(milliseconds: .max)) == 7200)
        #expect(try ZoneOffsets(tzif: file(transitions: [])).offset(at: .day(0)) == 10_800)
    }

    @Test func `a file that is none, or not ours, is refused with the reason`() {
        let files: [(bytes: [UInt8], reason: String)] = [
            ([], "it has no header"), (Array("TZif2".utf8), "it has no header"),
            (file(version: "\u{0}"), "its version is before 2"), (file(leapSeconds: 1), "it counts leap seconds"),
            (file(offsets: []), "it has too many transitions or no types"),
            (file(transitions: [(5, 0), (5, 1)]), "its transitions are disordered"),
            (file(transitions: [(5, 2)]), "a transition names no type"),
            (file(offsets: [90_000, 0]), "an offset is more than a day"), (file(footer: "x"), "it has no footer"),
        ]
        for (bytes, reason) in files {
            let error = #expect(throws: FiscalError.notAZoneFile(reason)) { try ZoneOffsets(tzif: bytes) }
            #expect(error?.description.contains(reason) ?? false)
        }
        #expect(throws: FiscalError.self) { try ZoneOffsets(tzif: file(footer: "\nPST8PDT,J1,J2\n")) }
    }

    @Test func `a file that is cut off anywhere is refused`() {
        let whole = file(transitions: [(0, 1), (100, 0)])
        for length in whole.indices {
            #expect(throws: FiscalError.self, "\(length)") { try ZoneOffsets(tzif: Array(whole.prefix(length))) }
        }
    }
}
