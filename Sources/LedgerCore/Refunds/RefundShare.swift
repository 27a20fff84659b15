/// How much of a transaction is refunded: a state, not an increment (PROTOCOL.md section 8.5).
package enum RefundShare: Hashable, Sendable {
    /// A share of the price, 0…100000.
    case percentage(Percentage)
    /// Money, added up over Advanced Commerce items.
    case items(Milliunits)
    /// Refunded, and the document does not tell how much.
    case unknown

    /// The share when it is one of the price.
    package var percentage: Percentage? { if case .percentage(let share) = self { share } else { nil } }

    /// The rounded amount; nil when it is unknown, or needs a price or a currency that no rendering states.
    package func amount(of price: Money?, in currency: CurrencyCode?) -> Money? {
        switch self {
        case .percentage(let share): price?.share(share)
        case .items(let total): currency.map { Money(amount: total, currency: $0) }
        case .unknown: nil
        }
    }
}

/// By what an amount was found, in the words of answers (`amountBasis`, API.md "Finance").
package enum AmountBasis: String, Hashable, Sendable, CaseIterable {
    /// The price times the percentage that the document states.
    case priceTimesPercentage = "price×percentage"
    /// The whole price, because the document states no percentage: refunded in full by its type, or a refund from
    /// before December 2025, when there were no types.
    case fullPriceAssumed
    /// The refunds of Advanced Commerce items.
    case itemRefunds
    /// The amount is not known; it is counted, never taken for 0.
    case unknown
}
