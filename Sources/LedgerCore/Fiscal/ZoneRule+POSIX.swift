extension ZoneRule {
    /// The farthest that local time is from UTC, in seconds.
    private static let offsetMax: Int64 = 24 * 3600

    /// Reads the form of the environment variable TZ (POSIX.1-2017 section 8.3, with the hours of RFC 9636 section
    /// 3.3.1): `PST8PDT,M3.2.0,M11.1.0`, `<+0530>-5:30`.
    ///
    /// Days are given as month, week and weekday; the forms with the day of the year are not read.
    /// - Throws: ``FiscalError/notAZoneRule(_:)``.
    package init(posix text: String) throws(FiscalError) {
        var scanner = RuleScanner(text)
        try scanner.name()
        standardOffset = -(try scanner.time(hoursMax: 24))
        guard abs(standardOffset) <= Self.offsetMax else { throw .notAZoneRule("the offset is more than a day") }
        guard !scanner.isAtEnd else { return }
        try scanner.name()
        let summerOffset = scanner.isAt(",") ? standardOffset + 3600 : -(try scanner.time(hoursMax: 24))
        guard abs(summerOffset) <= Self.offsetMax else { throw .notAZoneRule("the offset is more than a day") }
        let begin = try scanner.moment()
        summer = Summer(offset: summerOffset, begin: begin, end: try scanner.moment())
        guard scanner.isAtEnd else { throw .notAZoneRule("something follows the rule") }
    }
}

/// Reads the parts of a rule, front to back.
private struct RuleScanner {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    func isAt(_ text: String) -> Bool { rest.hasPrefix(text) }

    /// Three letters or more, or anything between angle brackets.
    mutating func name() throws(FiscalError) {
        if take("<") {
            guard let end = rest.firstIndex(of: ">") else { throw .notAZoneRule("a name is not closed") }
            rest = rest[rest.index(after: end)...]
            return
        }
        let letters = rest.prefix { $0.isASCII && $0.isLetter }
        guard letters.count >= 3 else { throw .notAZoneRule("a name of three letters is missing") }
        rest = rest.dropFirst(letters.count)
    }

    /// `[+-]h[:m[:s]]`, in seconds.
    mutating func time(hoursMax: Int64) throws(FiscalError) -> Int64 {
        let sign: Int64 = take("-") ? -1 : 1
        if sign > 0 { _ = take("+") }
        var seconds = try number(0...hoursMax) * 3600
        if take(":") { seconds += try number(0...59) * 60 }
        if take(":") { seconds += try number(0...59) }
        return sign * seconds
    }

    /// `,Mm.w.d[/time]`.
    mutating func moment() throws(FiscalError) -> ZoneRule.YearlyMoment {
        guard take(",M") else { throw .notAZoneRule("a date of the form M3.2.0 is missing") }
        let month = try number(1...12)
        guard take(".") else { throw .notAZoneRule("a date has no week") }
        let week = try number(1...5)
        guard take(".") else { throw .notAZoneRule("a date has no weekday") }
        let weekday = try number(0...6)
        let second = take("/") ? try time(hoursMax: 167) : 7200
        return ZoneRule.YearlyMoment(month: month, week: week, weekday: weekday, second: second)
    }

    private mutating func number(_ range: ClosedRange<Int64>) throws(FiscalError) -> Int64 {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), range.contains(number) else {
            throw .notAZoneRule("a number from \(range.lowerBound) to \(range.upperBound) is missing")
        }
        rest = rest.dropFirst(digits.count)
        return number
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }
}
