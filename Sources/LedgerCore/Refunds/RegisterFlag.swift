/// Why an entry deserves a look by a person; the values themselves are kept as they came.
package enum RegisterFlag: String, Hashable, Comparable, Sendable, CaseIterable {
    /// `revocationType` has a value that no list knows.
    case unknownType
    /// `revocationReason` has a value that no list knows.
    case unknownReason
    /// `revocationPercentage` is outside 0…100000: nothing is booked by it (PROTOCOL.md 9-1).
    case percentageOutOfRange
    /// The type needs a percentage, and there is none.
    case percentageMissing
    /// The type says the whole, the percentage says less; the percentage counts (PROTOCOL.md section 8.5).
    case percentageContradictsType
    /// No rendering states a price, from 0 up, with its currency.
    case priceUnknown
    /// A refund of an item has no amount or a negative one, or their sum leaves the range.
    case itemAmountUnknown
    /// Another rendering was signed in the same millisecond with other content (PROTOCOL.md section 8.2).
    case tied

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
