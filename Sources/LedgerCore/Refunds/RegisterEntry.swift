/// One change of a transaction's revocation: money back, money taken again, or a revocation without money.
package struct RegisterEntry: Hashable, Sendable {
    /// What changed.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// More is refunded than before.
        case refund
        /// Less is refunded than before.
        case reversal
        /// Access was revoked, and no money went back.
        case revocation
        /// Such a revocation was taken back.
        case reinstatement
    }

    /// The identity of an entry among those of one environment that are believed at one position.
    package struct ID: Hashable, Sendable {
        /// The transaction.
        package var transactionID: TransactionID
        /// When the rendering was signed that first says so.
        package var signedAt: Instant
        /// What changed: one rendering can end a refund and begin a revocation.
        package var kind: Kind

        /// The identity with these parts.
        package init(transactionID: TransactionID, signedAt: Instant, kind: Kind) {
            self.transactionID = transactionID
            self.signedAt = signedAt
            self.kind = kind
        }
    }

    /// What the rendering that first says so states, as it came.
    package struct Statement: Hashable, Sendable {
        /// When it was signed.
        package var signedAt: Instant
        /// When it was refunded or revoked; nil in what is taken back, and where only items are refunded.
        package var revocationDate: Instant?
        /// Which kind it was; nil before December 2025.
        package var revocationType: Open<RevocationType>?
        /// Why.
        package var revocationReason: Open<RevocationReason>?
        /// The share of the price, any integer.
        package var revocationPercentage: Percentage?
    }

    /// How the ledger first came to know it: of the renderings that say so, the one recorded first.
    package struct Discovery: Hashable, Sendable {
        /// The event that recorded it.
        package var position: Position
        /// When that was.
        package var recordedAt: Instant
        /// Who brought it.
        package var source: EventSource
    }

    /// What changed.
    package var kind: Kind
    /// The transaction that it is about.
    package var subject: RegisterSubject
    /// What the App Store said.
    package var statement: Statement
    /// How we came to know of it.
    package var discovery: Discovery
    /// When it happened: the date of the revocation, of the newest refunded item, or of the signing; what is taken back
    /// has no date of its own, so it happened when it was first signed.
    package var happenedAt: Instant
    /// Which kind of revocation it is; nil for refunds and reversals.
    package var revocationClass: RevocationClass?
    /// The difference of the rounded totals, negative for a reversal; nil when it is unknown, and for no refund.
    package var amount: Money?
    /// By what the amount was found; nil for what is no refund.
    package var basis: AmountBasis?
    /// The refunded share after it; nil when it is unknown or given in money by items.
    package var percentage: Percentage?
    /// The share of a consumable's units that is taken back after it.
    package var unitShare: Percentage?
    /// Whether the transaction was not revoked before it and is now.
    package var endsAccess: Bool
    /// Whether it is a reversal after which nothing is refunded, not even an unknown amount.
    package var takesAllBack: Bool
    /// The refund that a reversal takes back, or reduces.
    package var reverses: Position?
    /// Why a person should look at it; empty for nearly every entry.
    package var flags: Set<RegisterFlag>

    /// The identity.
    package var id: ID { ID(transactionID: subject.transactionID, signedAt: statement.signedAt, kind: kind) }
    /// Whether it belongs to the refund register.
    package var isAboutMoney: Bool { kind == .refund || kind == .reversal }
    /// Whether it is a refund for a problem with the app (`revocationReason` 1).
    package var isForAppProblem: Bool { kind == .refund && statement.revocationReason?.known == .problemWithApp }
    /// Whether it is about money and nobody knows how much.
    package var isOfUnknownAmount: Bool { isAboutMoney && amount == nil }
}
