/// What one rendering says of a transaction's revocation (PROTOCOL.md section 8.5): money back, or not, or nothing.
///
/// A revoked rendering has either a refund or a class, never both and never neither, so that refunds and the rest are
/// all revocations.
package struct RevocationReading: Hashable, Sendable {
    /// The money given back.
    package struct Refund: Hashable, Sendable {
        /// How much.
        package var share: RefundShare
        /// By what it was found.
        package var basis: AmountBasis
    }

    /// Nil where no money went back.
    package private(set) var refund: Refund?
    /// Nil where nothing is revoked, and for a refund.
    package private(set) var revocationClass: RevocationClass?
    /// The share of a consumable's units to take back; nil where nothing is taken automatically.
    package private(set) var unitShare: Percentage?
    /// Why a person should look at it.
    package private(set) var flags: Set<RegisterFlag> = []

    /// Nothing is revoked.
    package static let unrevoked = RevocationReading()

    private init() {}

    /// Reads a rendering.
    package init(_ rendering: RegisterRendering) {
        let fact = rendering.fact
        guard rendering.isRevoked else { return }
        unitShare = fact.unitShareToTakeBack
        if fact.revocationType.map({ $0.known == nil }) ?? false { flags.insert(.unknownType) }
        if fact.revocationReason.map({ $0.known == nil }) ?? false { flags.insert(.unknownReason) }
        revocationClass = RevocationClass(rendering)
        guard revocationClass == nil else { return }
        if let items = rendering.items, items.count > 0 {
            refund = Refund(share: items.total.map(RefundShare.items) ?? .unknown, basis: .itemRefunds)
            if items.total == nil { flags.insert(.itemAmountUnknown) }
        } else {
            refund = readPercentage(of: fact)
        }
        if refund?.share == .unknown { refund?.basis = .unknown }
    }

    private mutating func readPercentage(of fact: TransactionFact) -> Refund {
        let type = fact.revocationType
        guard let percentage = fact.revocationPercentage else {
            // Before December 2025 a revocation had no type, and a purchase was refunded in full.
            if type == nil || type?.known == .refundFull {
                return Refund(share: .percentage(.whole), basis: .fullPriceAssumed)
            }
            flags.insert(.percentageMissing)
            return Refund(share: .unknown, basis: .unknown)
        }
        guard percentage.isBookable else {
            flags.insert(.percentageOutOfRange)
            return Refund(share: .unknown, basis: .unknown)
        }
        if type?.known == .refundFull, percentage != .whole { flags.insert(.percentageContradictsType) }
        return Refund(share: .percentage(percentage), basis: .priceTimesPercentage)
    }
}

extension RevocationClass {
    /// The class of a revoked rendering; nil for a refund.
    fileprivate init?(_ rendering: RegisterRendering) {
        let fact = rendering.fact
        switch (fact.revocationType?.known, fact.ownershipType?.known) {
        case (.familyRevoke, _), (_, .familyShared): self = .family
        case (.assignmentRevoke, _), (_, .assigned): self = .assignment
        case (_, nil): self = .notPurchased
        case (.refundFull, .purchased), (.refundProrated, .purchased): return nil
        case (nil, .purchased):
            if let items = rendering.items, items.count > 0 { return nil }
            guard fact.revocationDate != nil else {
                self = .item
                return
            }
            guard fact.revocationPercentage == nil, let reason = fact.revocationReason, reason.known == nil else {
                return nil
            }
            self = .upgradeToBundle
        }
    }
}
