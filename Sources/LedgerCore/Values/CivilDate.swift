/// A day of the proleptic Gregorian calendar.
///
/// The conversions count days in eras of 400 years that begin on 1 March, so that a leap day ends its year and months
/// have a closed formula.
package struct CivilDate: Hashable, Sendable {
    /// The year; 0 is 1 BC.
    package let year: Int64
    /// 1…12.
    package let month: Int64
    /// 1…31.
    package let day: Int64

    private static let daysPerEra: Int64 = 146_097
    /// Days from 0000-03-01, where the eras begin, to 1970-01-01.
    private static let epochOffset: Int64 = 719_468

    /// The day with this distance from 1970-01-01.
    package init(daysSince1970 days: Int64) {
        let (era, dayOfEra) = (days + Self.epochOffset).flooredDivision(by: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The day with these numbers, or nil when the calendar has no such day.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), (1...Self.daysInMonth(month, of: year)).contains(day) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The distance from 1970-01-01 in days.
    package var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.epochOffset
    }

    /// The number of days of a month (1…12) in a year.
    package static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        default: 31
        }
    }
}

extension Int64 {
    /// Quotient rounded towards minus infinity and the remainder, which is never negative; `divisor` is positive.
    package func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
