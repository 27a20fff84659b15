/// An ISO 8601 duration of whole years, months, weeks and days: `P3M`, `P1Y6M`, `P2W`.
package struct CalendarDuration: Hashable, Sendable, CustomStringConvertible {
    package let months: Int64
    package let days: Int64

    /// At most this many years, so that no sum leaves the calendar.
    package static let yearsMax: Int64 = 1000

    /// Reads the ISO 8601 text; nil for anything else, for times of day, for a duration of nothing and for one longer
    /// than ``yearsMax``.
    package init?(iso8601 text: String) {
        guard text.first == "P" else { return nil }
        var months: Int64 = 0
        var days: Int64 = 0
        var rest = text.dropFirst()[...]
        var designators = "YMWD"[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard let number = Int64(digits), number <= Self.yearsMax * 366, let designator = rest.popFirst(),
                let index = designators.firstIndex(of: designator)
            else { return nil }
            designators = designators[designators.index(after: index)...]
            switch designator {
            case "Y": months += number * 12
            case "M": months += number
            case "W": days += number * 7
            default: days += number
            }
        }
        guard months + days > 0, months <= Self.yearsMax * 12, days <= Self.yearsMax * 366 else { return nil }
        self.months = months
        self.days = days
    }

    /// The same time of day this much later, in UTC.
    ///
    /// A day that the month does not have becomes its last one (31 January + P1M is 28 or 29 February). The end of the range of ``Instant`` where it would be passed.
    package func added(to instant: Instant) -> Instant {
        let (dayNumber, millisecondOfDay) = instant.milliseconds.flooredDivision(by: 86_400_000)
        let date = CivilDate(daysSince1970: dayNumber)
        let (years, monthIndex) = (date.month - 1 + months).flooredDivision(by: 12)
        let year = date.year + years
        let month = monthIndex + 1
        let day = min(date.day, CivilDate.daysInMonth(month, of: year))
        guard let shifted = CivilDate(year: year, month: month, day: day) else { return instant }
        // Dates in documents can be any 64-bit number: past the end of the range there is no later one.
        let (midnight, overflow) = (shifted.daysSince1970 + days).multipliedReportingOverflow(by: 86_400_000)
        return overflow
            ? Instant(milliseconds: .max) : Instant(milliseconds: midnight).adding(milliseconds: millisecondOfDay)
    }

    package var description: String { "P" + (months > 0 ? "\(months)M" : "") + (days > 0 ? "\(days)D" : "") }
}
