/// What became of a request for a refund: from the facts of its transaction, and where they say nothing from the App
/// Store's word that it declined (`REFUND_DECLINED`).
package struct RefundRequestOutcome: Hashable, Sendable {
    /// What became of it.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Nothing so far.
        case open
        /// Money went back after the request.
        case refunded
        /// Money went back, and all of it was taken again.
        case reversed
        /// The App Store refused it.
        case declined
    }

    /// A notification of a refusal.
    package struct Refusal: Hashable, Sendable {
        /// When it was signed.
        package var signedAt: Instant
        /// Its event.
        package var position: Position
    }

    /// What became of it.
    package var kind = Kind.open
    /// When that happened: the date of the first refund, the signing of the reversal or of the refusal.
    package var happenedAt: Instant?
    /// The event that told of it.
    package var position: Position?
    /// What went back since the request, less what was taken again; nil when nothing was refunded, or nobody knows how
    /// much.
    package var amount: Money?

    /// The outcome of a request by what is known of its transaction.
    ///
    /// The first refund after the request answers it, also one that came after a refusal, unless the customer had asked
    /// again meanwhile: then it answers the later request.
    /// - Parameters:
    ///   - requestedAt: when the request was signed.
    ///   - entries: the transaction's entries, in the order of their signing.
    ///   - refusals: refusals about the transaction.
    ///   - requests: when requests about the transaction were signed, this one among them.
    package init(
        of requestedAt: Instant,
        entries: [RegisterEntry],
        refusals: [Refusal],
        requests: [Instant]
    ) {
        let money = entries.filter { $0.isAboutMoney && $0.happenedAt >= requestedAt }
        let refund = money.filter { $0.kind == .refund }.min { $0.happenedAt < $1.happenedAt }
        let refusal = refusals.filter { $0.signedAt >= requestedAt }
            .min { ($0.signedAt, $0.position) < ($1.signedAt, $1.position) }
        if let refusal, refund.map({ Self.isAnotherRequest(requests, after: refusal, upTo: $0.happenedAt) }) ?? true {
            kind = .declined
            happenedAt = refusal.signedAt
            position = refusal.position
            return
        }
        guard let refund, let last = money.last else { return }
        kind = last.takesAllBack ? .reversed : .refunded
        happenedAt = last.takesAllBack ? last.happenedAt : refund.happenedAt
        position = last.takesAllBack ? last.discovery.position : refund.discovery.position
        amount = Self.sum(money)
    }

    private static func isAnotherRequest(_ requests: [Instant], after refusal: Refusal, upTo refund: Instant) -> Bool {
        requests.contains { refusal.signedAt < $0 && $0 <= refund }
    }

    /// The sum of entries of one transaction, whose amounts have one currency; nil when one is unknown.
    private static func sum(_ entries: [RegisterEntry]) -> Money? {
        let amounts = entries.compactMap(\.amount)
        guard amounts.count == entries.count, let currency = amounts.first?.currency else { return nil }
        let sum = amounts.reduce(Int128(0)) { $0 + Int128($1.amount.rawValue) }
        return Int64(exactly: sum).map { Money(amount: Milliunits($0), currency: currency) }
    }
}
