import LedgerCore
import TestSupport
import Testing

/// Apple's fiscal months.
@Suite("Fiscal calendar")
struct FiscalCalendarTests {
    private static func day(_ text: String) throws -> CivilDate {
        let numbers = text.split(separator: "-").compactMap { Int64($0) }
        return try #require(CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]))
    }

    /// The last ones are the quarters' ends that Apple's results name: 31 December 2022 and 30 September 2023 are of a
    /// year with 53 weeks.
    @Test(arguments: [
        ("FY2025-04", "2024-12-29", "2025-02-01"), ("FY2026-03", "2025-11-30", "2025-12-27"),
        ("FY2028-03", "2027-11-28", "2028-01-01"), ("FY2026-01", "2025-09-28", "2025-11-01"),
        ("FY2026-12", "2026-08-30", "2026-09-26"), ("FY2023-03", "2022-11-27", "2022-12-31"),
        ("FY2023-12", "2023-09-03", "2023-09-30"), ("FY2017-03", "2016-11-27", "2016-12-31"),
        ("FY2012-12", "2012-09-02", "2012-09-29"),
    ])
    func `a period has its days`(period: String, first: String, last: String) throws {
        let days = FiscalCalendar.standard.days(of: try FiscalPeriod(period))
        #expect(days == (try Self.day(first))...(try Self.day(last)))
    }

    @Test(arguments: Array(stride(from: Int64(1000), through: 9900, by: 100)))
    func `periods follow each other without a gap, in weeks of 5, 4 and 4`(_ firstYear: Int64) throws {
        let calendar = FiscalCalendar.standard
        for year in firstYear..<(firstYear + 100) {
            let periods = (1...12).compactMap { FiscalPeriod(year: year, month: $0) }
            let weeks = periods.map { period -> Int64 in
                let days = calendar.days(of: period)
                #expect(days.lowerBound.weekday == 0 && days.upperBound.weekday == 6, "\(period)")
                if let next = period.next {
                    let first = calendar.days(of: next).lowerBound
                    #expect(first.daysSince1970 == days.upperBound.daysSince1970 + 1, "\(period)")
                }
                return (days.upperBound.daysSince1970 - days.lowerBound.daysSince1970 + 1) / 7
            }
            let third: Int64 = weeks.reduce(0, +) == 53 ? 5 : 4
            #expect(weeks == [5, 4, third, 5, 4, 4, 5, 4, 4, 5, 4, 4], "\(year)")
            let last = calendar.days(of: periods[11]).upperBound
            #expect(last.month == 9 && last.day > 23, "\(year)")
        }
    }

    @Test func `every day of a century is in the period that has it`() throws {
        let calendar = FiscalCalendar.standard
        let days = (try Self.day("1970-01-01").daysSince1970)...(try Self.day("2070-12-31").daysSince1970)
        for day in days.map(CivilDate.init(daysSince1970:)) {
            let period = try #require(calendar.period(of: day))
            if !calendar.days(of: period).contains(day) { Issue.record("\(day) is not in \(period)") }
        }
    }

    @Test func `days outside the years that can be named have no period`() throws {
        #expect(FiscalCalendar.standard.period(of: try Self.day("999-01-01")) == nil)
        #expect(FiscalCalendar.standard.period(of: try Self.day("9999-12-31")) == nil)
        #expect(FiscalCalendar.standard.period(of: try Self.day("9999-09-01"))?.description == "FY9999-12")
        #expect(FiscalCalendar.standard.period(of: Instant(milliseconds: .max)) == nil)
        #expect(FiscalCalendar.standard.period(of: Instant(milliseconds: .min)) == nil)
    }

    /// 2026-03-08 and 2025-11-02 change the clocks in California; borders lie an hour apart in UTC on either side.
    @Test(arguments: [
        ("FY2026-03", "2025-11-30T08:00:00.000Z", "2025-12-28T08:00:00.000Z"),
        ("FY2026-01", "2025-09-28T07:00:00.000Z", "2025-11-02T07:00:00.000Z"),
        ("FY2026-02", "2025-11-02T07:00:00.000Z", "2025-11-30T08:00:00.000Z"),
    ])
    func `a period begins and ends at midnight in Cupertino`(text: String, begin: String, end: String) throws {
        let period = try FiscalPeriod(text)
        let instants = FiscalCalendar.standard.instants(of: period)
        #expect(instants == (try #require(Instant(rfc3339: begin)))..<(try #require(Instant(rfc3339: end))))
        #expect(FiscalCalendar.standard.period(of: instants.lowerBound) == period)
        #expect(FiscalCalendar.standard.period(of: instants.lowerBound.adding(milliseconds: -1)) == period.previous)
        #expect(FiscalCalendar.standard.period(of: instants.upperBound.adding(milliseconds: -1)) == period)
        #expect(FiscalCalendar.standard.period(of: instants.upperBound) == period.next)
    }

    // MARK: The table

    @Test func `a table moves a border, and both neighbours with it`() throws {
        let period = try FiscalPeriod("FY2026-03")
        let calendar = try FiscalCalendar(firstDays: [period: try Self.day("2025-12-07")])
        #expect(calendar.days(of: period) == (try Self.day("2025-12-07"))...(try Self.day("2025-12-27")))
        let previous = try #require(period.previous)
        #expect(calendar.days(of: previous).upperBound == (try Self.day("2025-12-06")))
        #expect(calendar.period(of: try Self.day("2025-12-06")) == previous)
        #expect(calendar.period(of: try Self.day("2025-12-07")) == period)
    }

    @Test(arguments: ["2025-11-02", "2025-12-28", "1990-01-01"])
    func `a table in which periods would not follow each other is refused`(_ first: String) throws {
        let period = try FiscalPeriod("FY2026-03")
        let error = #expect(throws: FiscalError.self) {
            try FiscalCalendar(firstDays: [period: try Self.day(first)])
        }
        #expect(
            error?.description == "The first day given for FY2026-03 does not lie between those of the periods before "
                + "and after it: correct the table of fiscal periods."
        )
    }

    // MARK: Names

    @Test(arguments: ["FY2026-03", "FY1000-01", "FY9999-12"])
    func `a period is written as it is read`(_ text: String) throws {
        #expect(try FiscalPeriod(text).description == text)
    }

    @Test(arguments: [
        "", "2026-03", "FY2026-3", "FY2026-13", "FY2026-00", "FY26-03", "fy2026-03", "FY2026/03", "FY2026-03 ",
        "FY-026-03", "FY+026-03", "FY0999-01", "FY２026-3", "FY20266-03", "FY2026--3",
    ])
    func `anything else is refused with an example`(_ text: String) {
        let error = #expect(throws: FiscalError.notAPeriod) { try FiscalPeriod(text) }
        #expect(
            error?.description == "A fiscal period is written as FY, four digits of the fiscal year, a hyphen and the "
                + "month from 01 to 12: FY2026-03."
        )
    }

    @Test func `the first period has none before it, the last none after it`() throws {
        #expect(try FiscalPeriod("FY1000-01").previous == nil && (try FiscalPeriod("FY9999-12").next) == nil)
        #expect(try FiscalPeriod("FY2026-01").previous == (try FiscalPeriod("FY2025-12")))
        #expect(try FiscalPeriod("FY2025-12") < (try FiscalPeriod("FY2026-01")))
    }
}
