/// What was used of each transaction, from what services reported (docs/decisions/0015-used-units.md).
///
/// A report that names a transaction is that transaction's, also past the units that it brought. Any other report is
/// spread over the purchases of its unit that its key has: first over what each of them has left after refunds, then
/// over what was taken back, each time the oldest purchase first; what goes beyond all of them counts on the newest one.
/// So a refund leaves something owed only where the customer had nothing else left. Reports go in the order of how much
/// they name: transactions, lines, tokens, customers.
package struct UsageSpread: Sendable {
    /// A purchase of units, and what became of them.
    fileprivate struct Share {
        var transactionID: TransactionID
        var boughtAt: Instant
        var holders: Set<CustomerKey>
        var unit: String
        var granted: Int128
        var takenBack: Int128
        var used: Int128 = 0
    }

    /// Reports about one key in one unit are one amount; nil stands for the unit of the transaction.
    fileprivate struct Group: Hashable {
        var holder: CustomerKey
        var unit: String?
    }

    /// By purchase, the oldest first.
    private var shares: [Share] = []

    /// Spreads the reports of an account.
    /// - Parameters:
    ///   - account: the reports, and all lines that they are about.
    ///   - catalog: tells the units.
    ///   - instant: what was bought, used and taken back by then counts.
    package init(_ account: UsageAccount, catalog: Catalog, at instant: Instant) {
        for facts in account.lines {
            let holders = facts.usageHolders
            shares += facts.purchases.compactMap { Share($0.fact, holders: holders, catalog, at: instant) }
        }
        shares.sort { ($0.boughtAt, $0.transactionID) < ($1.boughtAt, $1.transactionID) }
        var amounts: [Group: Int128] = [:]
        for fact in account.usages where fact.usedAt <= instant {
            amounts[Group(holder: fact.usage.holder, unit: fact.usage.unit), default: 0] += Int128(fact.usage.amount)
        }
        for (group, amount) in amounts.sorted(by: { $0.key < $1.key }) { spread(amount, of: group) }
    }

    /// The units used of each transaction, of those of which any were used.
    package var used: [TransactionID: Int128] {
        Dictionary(uniqueKeysWithValues: shares.lazy.filter { $0.used > 0 }.map { ($0.transactionID, $0.used) })
    }

    private mutating func spread(_ amount: Int128, of group: Group) {
        let places = shares.indices.filter { shares[$0].isConcerned(by: group) }
        guard let newest = places.last else { return }
        var rest = amount
        if places.count > 1 {
            for place in places { shares[place].take(&rest, upTo: shares[place].granted - shares[place].takenBack) }
            for place in places { shares[place].take(&rest, upTo: shares[place].granted) }
        }
        shares[newest].used += rest
    }
}

extension UsageSpread.Group: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.rank, left.holder.value, left.unit ?? "") < (right.rank, right.holder.value, right.unit ?? "")
    }

    private var rank: Int {
        switch holder {
        case .transactionID: 0
        case .originalTransactionID: 1
        case .appAccountToken: 2
        case .appTransactionID: 3
        }
    }
}

extension UsageSpread.Share {
    /// nil for what is no consumable, names no product, or is bought later.
    fileprivate init?(_ fact: TransactionFact, holders: [CustomerKey], _ catalog: Catalog, at instant: Instant) {
        guard fact.type?.known == .consumable, fact.hasBegun(at: instant), let product = fact.productID else {
            return nil
        }
        let own = holders.filter { if case .transactionID(let id) = $0 { id == fact.transactionID } else { true } }
        let grant = UnitGrant(product, quantity: fact.quantity, catalog)
        let taken = fact.isRevoked(at: instant) ? fact.unitShareToTakeBack.map(grant.share) : nil
        self.init(
            transactionID: fact.transactionID,
            boughtAt: fact.effectivePurchaseDate,
            holders: Set(own),
            unit: grant.unit,
            granted: grant.units,
            takenBack: Int128(taken ?? 0)
        )
    }

    fileprivate func isConcerned(by group: UsageSpread.Group) -> Bool {
        holders.contains(group.holder) && (group.unit.map { $0 == unit } ?? true)
    }

    /// Takes as much of an amount as fits below a limit.
    fileprivate mutating func take(_ amount: inout Int128, upTo limit: Int128) {
        let taken = max(0, min(amount, limit - used))
        used += taken
        amount -= taken
    }
}
