/// An amount in thousandths of one unit of its currency: 1.99 USD is 1990, 300 JPY is 300000 (PROTOCOL.md,
/// conventions).
package struct Milliunits: RawRepresentable, Hashable, Comparable, Sendable, Codable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package init(_ rawValue: Int64) { self.rawValue = rawValue }

    package init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package static func < (left: Milliunits, right: Milliunits) -> Bool { left.rawValue < right.rawValue }
}

/// An ISO 4217 code as the App Store wrote it.
package struct CurrencyCode: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// A share in the App Store's unit, thousandths of one percent: 40 % is 40000, 100 % is 100000.
///
/// Any integer is kept as it came; only 0…100000 can be booked (PROTOCOL.md 9-1).
package struct Percentage: RawRepresentable, Hashable, Comparable, Sendable, Codable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// 100 %.
    package static let whole = Percentage(100_000)

    /// Whether the value is a share that money can be booked by.
    package var isBookable: Bool { (0...Self.whole.rawValue).contains(rawValue) }

    package init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package static func < (left: Percentage, right: Percentage) -> Bool { left.rawValue < right.rawValue }
}

/// An amount of one currency.
package struct Money: Hashable, Sendable {
    package let amount: Milliunits
    package let currency: CurrencyCode

    package init(amount: Milliunits, currency: CurrencyCode) {
        self.amount = amount
        self.currency = currency
    }

    /// Adds two amounts of one currency.
    /// - Throws: ``MoneyError`` when the currencies differ or the sum leaves `Int64`.
    package func adding(_ other: Money) throws(MoneyError) -> Money {
        guard currency == other.currency else { throw .currenciesDiffer(currency, other.currency) }
        let (sum, overflow) = amount.rawValue.addingReportingOverflow(other.amount.rawValue)
        guard !overflow else { throw .overflow(currency) }
        return Money(amount: Milliunits(sum), currency: currency)
    }

    /// The share of this amount, rounded to the milliunit, half away from zero, over a 128-bit product
    /// (PROTOCOL.md section 8.5); nil when the result leaves `Int64`.
    package func share(_ percentage: Percentage) -> Money? {
        let product = Int128(amount.rawValue) * Int128(percentage.rawValue)
        let divisor = Int128(Percentage.whole.rawValue)
        let half = product < 0 ? -divisor / 2 : divisor / 2
        guard let rounded = Int64(exactly: (product + half) / divisor) else { return nil }
        return Money(amount: Milliunits(rounded), currency: currency)
    }
}

/// Why amounts could not be added.
package enum MoneyError: Error, Hashable, Sendable, CustomStringConvertible {
    case currenciesDiffer(CurrencyCode, CurrencyCode)
    case overflow(CurrencyCode)

    package var description: String {
        switch self {
        case .currenciesDiffer(let one, let other):
            "Amounts in \(one) and \(other) cannot be added: keep one sum per currency."
        case .overflow(let currency):
            "A sum in \(currency) left the range of 64-bit milliunits: add fewer amounts at a time."
        }
    }
}
