extension CivilDate {
    /// The day of the week: 0 is Sunday, 6 is Saturday.
    package var weekday: Int64 {
        // 1970-01-01 was a Thursday.
        (daysSince1970 + 4).flooredDivision(by: 7).remainder
    }
}

extension CivilDate: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}
