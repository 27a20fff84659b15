/// Apple's fiscal calendar: years that end on the last Saturday of September, in quarters of 5, 4 and 4 weeks.
///
/// Weeks go from Sunday to Saturday; in a year of 53 weeks the third month has the one more.
///
/// Apple publishes the dates year by year; where they differ, a table overrides the first days of periods. A period
/// ends where the next one begins, so no table can leave a gap or an overlap.
package struct FiscalCalendar: Hashable, Sendable {
    /// First days that differ from the rule.
    private let firstDays: [FiscalPeriod: CivilDate]
    /// Where a day begins.
    package let zone: ZoneOffsets

    /// The rule without a table, with days of Cupertino.
    package static let standard = FiscalCalendar()

    private init() {
        firstDays = [:]
        zone = .pacific
    }

    /// The rule with a table of other first days.
    /// - Throws: ``FiscalError/tableOutOfOrder(_:)`` when periods would not follow each other.
    package init(firstDays: [FiscalPeriod: CivilDate], zone: ZoneOffsets = .pacific) throws(FiscalError) {
        self.firstDays = firstDays
        self.zone = zone
        for period in firstDays.keys.sorted() {
            let day = firstDay(of: period)
            let isAfter = period.previous.map { firstDay(of: $0) < day } ?? true
            let isBefore = period.next.map { day < firstDay(of: $0) } ?? true
            guard isAfter, isBefore else { throw .tableOutOfOrder(period) }
        }
    }

    /// The days of a period, first to last.
    package func days(of period: FiscalPeriod) -> ClosedRange<CivilDate> {
        let first = firstDay(of: period)
        let last = period.next.map(firstDay) ?? Self.firstDay(ofYear: period.year + 1)
        return first...CivilDate(daysSince1970: last.daysSince1970 - 1)
    }

    /// The instants of a period: from the midnight that begins it to the one that begins the next.
    package func instants(of period: FiscalPeriod) -> Range<Instant> {
        let days = days(of: period)
        let next = CivilDate(daysSince1970: days.upperBound.daysSince1970 + 1)
        return zone.startOfDay(days.lowerBound)..<zone.startOfDay(next)
    }

    /// The period of a day; nil outside the years that periods have.
    package func period(of day: CivilDate) -> FiscalPeriod? {
        // January is about the fourth month; from there it is a step or two, further where a table moved the days.
        let (years, month) = (day.month + 2).quotientAndRemainder(dividingBy: 12)
        guard var period = FiscalPeriod(year: day.year + years, month: month + 1) else { return nil }
        while day < days(of: period).lowerBound {
            guard let previous = period.previous else { return nil }
            period = previous
        }
        while day > days(of: period).upperBound {
            guard let next = period.next else { return nil }
            period = next
        }
        return period
    }

    /// The period of an instant, by the day it falls on in the calendar's zone.
    package func period(of instant: Instant) -> FiscalPeriod? { period(of: zone.day(of: instant)) }

    private func firstDay(of period: FiscalPeriod) -> CivilDate { firstDays[period] ?? Self.ruledFirstDay(of: period) }

    // MARK: The rule

    private static func ruledFirstDay(of period: FiscalPeriod) -> CivilDate {
        let first = firstDay(ofYear: period.year).daysSince1970
        let isLong = firstDay(ofYear: period.year + 1).daysSince1970 - first == 53 * 7
        let (quarter, monthOfQuarter) = (period.month - 1).quotientAndRemainder(dividingBy: 3)
        let weeksBefore = quarter * 13 + [0, 5, 9][Int(monthOfQuarter)]
        let week = isLong && period.month > 3 ? weeksBefore + 1 : weeksBefore
        return CivilDate(daysSince1970: first + week * 7)
    }

    /// The Sunday after the last Saturday of September before: that Saturday falls on 24…30 September, so it is the
    /// first Sunday from 25 September on.
    private static func firstDay(ofYear year: Int64) -> CivilDate {
        guard let earliest = CivilDate(year: year - 1, month: 9, day: 25) else {
            preconditionFailure("every year has a 25 September")
        }
        return CivilDate(daysSince1970: earliest.daysSince1970 + (7 - earliest.weekday) % 7)
    }
}
