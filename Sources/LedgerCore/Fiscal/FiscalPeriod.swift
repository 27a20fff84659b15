/// A month of Apple's fiscal year, in which its financial reports are made: `FY2026-03` is the third month of the
/// fiscal year 2026.
package struct FiscalPeriod: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The calendar year in which the fiscal year ends.
    package let year: Int64
    /// 1…12; 1 is about October.
    package let month: Int64

    /// The fiscal years that can be named: those of four digits.
    package static let years: ClosedRange<Int64> = 1000...9999

    /// The period with these numbers; nil for a month outside 1…12 or a year outside ``years``.
    package init?(year: Int64, month: Int64) {
        guard Self.years.contains(year), (1...12).contains(month) else { return nil }
        self.year = year
        self.month = month
    }

    /// Reads `FY2026-03`.
    /// - Throws: ``FiscalError`` that says what a period looks like.
    package init(_ text: String) throws(FiscalError) {
        let bytes = Array(text.utf8)
        guard bytes.count == 9, text.hasPrefix("FY"), bytes[6] == UInt8(ascii: "-") else { throw .notAPeriod }
        let digits = bytes[2..<6] + bytes[7..<9]
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { throw .notAPeriod }
        let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        guard let period = FiscalPeriod(year: number / 100, month: number % 100) else { throw .notAPeriod }
        self = period
    }

    package var description: String { "FY\(year)-\(month < 10 ? "0" : "")\(month)" }

    /// The period after this one; nil after the last.
    package var next: FiscalPeriod? {
        month == 12 ? FiscalPeriod(year: year + 1, month: 1) : FiscalPeriod(year: year, month: month + 1)
    }

    /// The period before this one; nil before the first.
    package var previous: FiscalPeriod? {
        month == 1 ? FiscalPeriod(year: year - 1, month: 12) : FiscalPeriod(year: year, month: month - 1)
    }

    package static func < (left: Self, right: Self) -> Bool { (left.year, left.month) < (right.year, right.month) }
}
