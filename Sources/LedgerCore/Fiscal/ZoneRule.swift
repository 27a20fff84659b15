/// When a zone changes its clocks, year after year: standard time, and perhaps summer time between two dates.
package struct ZoneRule: Hashable, Sendable {
    /// A moment of every year: the n-th weekday of a month, at a local time.
    package struct YearlyMoment: Hashable, Sendable {
        /// 1…12.
        package var month: Int64
        /// 1…5; 5 is the last one of the month.
        package var week: Int64
        /// 0 is Sunday.
        package var weekday: Int64
        /// Seconds after local midnight; may lie outside the day.
        package var second: Int64
    }

    /// The time between two moments of the year.
    package struct Summer: Hashable, Sendable {
        /// Seconds to add to UTC.
        package var offset: Int64
        /// When it begins, in standard time.
        package var begin: YearlyMoment
        /// When it ends, in summer time.
        package var end: YearlyMoment
    }

    /// Seconds to add to UTC outside summer time.
    package var standardOffset: Int64
    /// Nil where the clocks never change.
    package var summer: Summer?

    /// `PST8PDT,M3.2.0,M11.1.0`: the second Sunday of March to the first of November, at two o'clock.
    package static let pacific = ZoneRule(
        standardOffset: -8 * 3600,
        summer: Summer(
            offset: -7 * 3600,
            begin: YearlyMoment(month: 3, week: 2, weekday: 0, second: 7200),
            end: YearlyMoment(month: 11, week: 1, weekday: 0, second: 7200)
        )
    )

    /// Seconds to add to UTC at a second since 1970.
    package func offset(at second: Int64) -> Int64 {
        guard let summer else { return standardOffset }
        let day = (second + standardOffset).flooredDivision(by: 86_400).quotient
        let year = CivilDate(daysSince1970: day).year
        let begin = summer.begin.second(in: year) - standardOffset
        let end = summer.end.second(in: year) - summer.offset
        // South of the equator summer lies around the new year.
        let isSummer = begin < end ? (begin..<end).contains(second) : !(end..<begin).contains(second)
        return isSummer ? summer.offset : standardOffset
    }
}

extension ZoneRule.YearlyMoment {
    /// Local seconds since 1970-01-01T00:00:00.
    fileprivate func second(in year: Int64) -> Int64 {
        guard let first = CivilDate(year: year, month: month, day: 1) else {
            preconditionFailure("a month is from 1 to 12")
        }
        let firstMatch = first.daysSince1970 + (weekday - first.weekday + 7) % 7
        let daysInMonth = CivilDate.daysInMonth(month, of: year)
        let lastMatch = firstMatch + (first.daysSince1970 + daysInMonth - 1 - firstMatch) / 7 * 7
        return min(firstMatch + (week - 1) * 7, lastMatch) * 86_400 + second
    }
}
