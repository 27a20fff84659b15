extension Instant: CustomStringConvertible {
    /// RFC 3339 in UTC with milliseconds, as answers show it: `2026-01-05T00:00:00.000Z`.
    ///
    /// A year outside 0000…9999 has no RFC 3339 form; it is written with its sign and all of its digits.
    package var description: String {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: Self.rfc3339BytesMax) { appendRFC3339(to: &$0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The most bytes of the RFC 3339 form: 24 for the years 0000…9999, up to 30 for those at the ends of `Int64`.
    static let rfc3339BytesMax = 32

    /// Appends the RFC 3339 form; there is room for ``rfc3339BytesMax`` bytes.
    func appendRFC3339(to span: inout OutputSpan<UInt8>) {
        let (days, millisecondOfDay) = milliseconds.flooredDivision(by: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        if (0...9999).contains(date.year) {
            span.appendTwoDigits(date.year / 100)
            span.appendTwoDigits(date.year % 100)
        } else {
            if date.year > 0 { span.append(UInt8(ascii: "+")) }
            span.appendDecimal(date.year)
        }
        span.append(UInt8(ascii: "-"))
        span.appendTwoDigits(date.month)
        span.append(UInt8(ascii: "-"))
        span.appendTwoDigits(date.day)
        span.append(UInt8(ascii: "T"))
        span.appendTwoDigits(millisecondOfDay / 3_600_000)
        span.append(UInt8(ascii: ":"))
        span.appendTwoDigits(millisecondOfDay / 60_000 % 60)
        span.append(UInt8(ascii: ":"))
        span.appendTwoDigits(millisecondOfDay / 1000 % 60)
        span.append(UInt8(ascii: "."))
        span.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: millisecondOfDay % 1000 / 100))
        span.appendTwoDigits(millisecondOfDay % 100)
        span.append(UInt8(ascii: "Z"))
    }

    /// Reads a time of a query: RFC 3339 (`2026-01-05T00:00:00Z`, a fraction and an offset are allowed; digits after
    /// the third of the fraction are dropped) or integer milliseconds since 1970; nil for anything else.
    package init?(query text: String) {
        if let milliseconds = Int64(text) {
            self.init(milliseconds: milliseconds)
        } else {
            self.init(rfc3339: text)
        }
    }

    /// Reads an RFC 3339 time; nil for anything else, a date that the calendar does not have included.
    package init?(rfc3339 text: String) {
        var reader = RFC3339Reader(rest: Array(text.utf8)[...])
        guard let milliseconds = reader.milliseconds() else { return nil }
        self.init(milliseconds: milliseconds)
    }
}

/// A cursor over the bytes of an RFC 3339 time (section 5.6 of RFC 3339; leap seconds are not accepted).
private struct RFC3339Reader {
    var rest: ArraySlice<UInt8>

    mutating func milliseconds() -> Int64? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
            let date = CivilDate(year: year, month: month, day: day),
            skip("T") || skip("t") || skip(" "),
            let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"),
            let second = number(2), second < 60,
            let fraction = fractionMilliseconds(), let offset = offsetMinutes(), rest.isEmpty
        else { return nil }
        let secondOfDay = (hour * 60 + minute - offset) * 60 + second
        return date.daysSince1970 * 86_400_000 + secondOfDay * 1000 + fraction
    }

    private mutating func number(_ digits: Int) -> Int64? {
        guard rest.count >= digits else { return nil }
        var value: Int64 = 0
        for byte in rest.prefix(digits) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        rest = rest.dropFirst(digits)
        return value
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func fractionMilliseconds() -> Int64? {
        guard skip(".") else { return 0 }
        var value: Int64 = 0
        var digits = 0
        while let digit = number(1) {
            if digits < 3 { value = value * 10 + digit }
            digits += 1
        }
        guard digits > 0 else { return nil }
        for _ in digits..<max(digits, 3) { value *= 10 }
        return value
    }

    private mutating func offsetMinutes() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let sign: Int64 = skip("+") ? 1 : (skip("-") ? -1 : 0)
        guard sign != 0, let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60 else {
            return nil
        }
        return sign * (hours * 60 + minutes)
    }
}
