import LedgerCore
import Testing

@Suite struct CivilDateTests {
    @Test(
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1), (19_782, 2024, 2, 29),
            (-25_509, 1900, 2, 28), (-25_508, 1900, 3, 1), (-719_162, 1, 1, 1), (-719_163, 0, 12, 31),
            (-719_528, 0, 1, 1), (2_932_896, 9999, 12, 31), (20_454, 2026, 1, 1),
        ] as [(Int64, Int64, Int64, Int64)]
    )
    func `known days have their known distance from 1970`(days: Int64, year: Int64, month: Int64, day: Int64) throws {
        let date = CivilDate(daysSince1970: days)
        #expect((date.year, date.month, date.day) == (year, month, day))
        #expect(try #require(CivilDate(year: year, month: month, day: day)).daysSince1970 == days)
    }

    /// Walks through the calendar with nothing but its rules: every day of the years 1500 to 2499, which hold all
    /// of the 400-year cycle, and of the other years the first and the last day of each month.
    @Test(arguments: Array(stride(from: Int64(-10_000), to: 10_000, by: 500)))
    func `every day follows the day before, through 500 years`(firstYear: Int64) throws {
        var firstOfMonth = Self.daysBefore(year: firstYear)
        for year in firstYear..<(firstYear + 500) {
            for (month, length) in zip(Int64(1)..., Self.monthLengths(of: year)) {
                #expect(CivilDate.daysInMonth(month, of: year) == length)
                for day in (1500..<2500).contains(year) ? Array(1...length) : [1, length] {
                    let days = firstOfMonth + day - 1
                    let date = CivilDate(daysSince1970: days)
                    if date.year != year || date.month != month || date.day != day || date.daysSince1970 != days {
                        Issue.record("day \(days) is \(year)-\(month)-\(day), not \(date)")
                    }
                }
                firstOfMonth += length
            }
        }
    }

    @Test(
        arguments: [
            (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 4, 31), (2025, 2, 29), (1900, 2, 29),
            (2000, 2, 30), (2026, -1, 1), (2026, 1, -1), (2026, .max, 1), (2026, 1, .min),
        ] as [(Int64, Int64, Int64)]
    )
    func `a day that the calendar does not have is refused`(year: Int64, month: Int64, day: Int64) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test(
        arguments: [(7, 3, 2, 1), (-7, 3, -3, 2), (-6, 3, -2, 0), (0, 5, 0, 0), (-1, 400, -1, 399)]
            as [(Int64, Int64, Int64, Int64)]
    )
    func `a floored division has a remainder from 0 up`(
        number: Int64,
        divisor: Int64,
        quotient: Int64,
        remainder: Int64
    ) {
        #expect(number.flooredDivision(by: divisor) == (quotient, remainder))
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year.isMultiple(of: 400) || (year.isMultiple(of: 4) && !year.isMultiple(of: 100))
    }

    private static func monthLengths(of year: Int64) -> [Int64] {
        [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    }

    /// The days from 1970-01-01 to the first day of a year, added up year by year.
    private static func daysBefore(year: Int64) -> Int64 {
        year >= 1970
            ? (1970..<year).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
            : -(year..<1970).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
    }
}
