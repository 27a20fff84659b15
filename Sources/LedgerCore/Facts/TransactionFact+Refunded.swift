extension TransactionFact {
    /// The money that a revocation in force at an instant gave back (PROTOCOL.md section 8.5): the share of the price.
    ///
    /// nil when nothing was refunded, when the transaction is a shared copy, and when the amount is not known.
    package func refunded(at instant: Instant) -> Money? {
        guard isRevoked(at: instant), ownershipType?.known == .purchased, let price, let currency,
            let share = refundedShare
        else { return nil }
        return Money(amount: price, currency: currency).share(share)
    }

    private var refundedShare: Percentage? {
        switch revocationType {
        case .known(.familyRevoke), .known(.assignmentRevoke): return nil
        case .known(.refundFull), nil:
            guard let stated = revocationPercentage else { return .whole }
            return stated.isBookable ? stated : nil
        case .known(.refundProrated), .unknown:
            return revocationPercentage.flatMap { $0.isBookable ? $0 : nil }
        }
    }
}
