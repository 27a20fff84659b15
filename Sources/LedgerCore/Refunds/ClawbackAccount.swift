/// The clawbacks of one customer: what refunds take back of all consumables, against what was granted and used.
package struct ClawbackAccount {
    private let catalog: Catalog
    private let usage: UsageTally
    private var granted: [String: Int128] = [:]
    /// What is to be taken back so far, by unit.
    private var taken: [String: Int128] = [:]
    /// What is to be taken back so far, by transaction; rounded.
    private var takenOfTransaction: [TransactionID: Int64] = [:]

    /// The clawbacks of a customer's transactions, in the order of the entries' signing: one for each refund and
    /// reversal, and for a revocation without money only where it takes units.
    /// - Parameters:
    ///   - registers: all transactions of the customer.
    ///   - catalog: tells units and rounding.
    ///   - usage: what the customer has used.
    /// - Returns: rows that add up to the state: to what the winning renderings take back, and to what is owed of it.
    package static func clawbacks(
        of registers: some Collection<TransactionRegister>,
        catalog: Catalog,
        usage: UsageTally
    ) -> [Clawback] {
        var account = ClawbackAccount(catalog: catalog, usage: usage)
        for subject in registers.compactMap(\.subject) { account.grant(subject) }
        return account.clawbacks(of: registers.flatMap(\.entries))
    }

    /// The clawbacks of entries alone, in the order of the entries' signing: what was granted is that of their own
    /// transactions.
    /// - Parameters:
    ///   - entries: all entries of some transactions, those of one transaction in their order.
    ///   - catalog: tells units and rounding.
    ///   - usage: what the customer has used.
    /// - Returns: rows as of ``clawbacks(of:catalog:usage:)``; the same ones when nothing was used.
    package static func clawbacks(
        ofEntries entries: [RegisterEntry],
        catalog: Catalog,
        usage: UsageTally
    ) -> [Clawback] {
        var account = ClawbackAccount(catalog: catalog, usage: usage)
        let subjects = Dictionary(entries.map { ($0.subject.transactionID, $0.subject) }) { first, _ in first }
        for subject in subjects.values { account.grant(subject) }
        return account.clawbacks(of: entries)
    }

    private mutating func clawbacks(of entries: [RegisterEntry]) -> [Clawback] {
        // Stable, so that the two entries of one rendering keep their order.
        let inOrder = entries.enumerated().sorted { one, other in
            let (left, right) = (one.element, other.element)
            if left.statement.signedAt != right.statement.signedAt {
                return left.statement.signedAt < right.statement.signedAt
            }
            let ids = (left.subject.transactionID, right.subject.transactionID)
            return ids.0 == ids.1 ? one.offset < other.offset : ids.0 < ids.1
        }
        return inOrder.compactMap { clawback($0.element) }
    }

    private init(catalog: Catalog, usage: UsageTally) {
        self.catalog = catalog
        self.usage = usage
    }

    private mutating func grant(_ subject: RegisterSubject) {
        guard let grant = UnitGrant(subject, catalog) else { return }
        granted[grant.unit, default: 0] += grant.units
    }

    private mutating func clawback(_ entry: RegisterEntry) -> Clawback? {
        let units = UnitGrant(entry.subject, catalog).map { takeBack(entry, $0) }
        guard entry.isAboutMoney || (units?.toRecover ?? 0) != 0 else { return nil }
        return Clawback(entry: entry, percentage: entry.unitShare ?? entry.percentage, units: units)
    }

    private mutating func takeBack(_ entry: RegisterEntry, _ grant: UnitGrant) -> Clawback.Units {
        let total = entry.unitShare.map(grant.share) ?? 0
        let id = entry.subject.transactionID
        // Both totals are from 0 up, so the difference stays inside 64 bits.
        let toRecover = total - (takenOfTransaction[id] ?? 0)
        takenOfTransaction[id] = total
        let owedBefore = owed(of: grant.unit)
        taken[grant.unit, default: 0] += Int128(toRecover)
        let owed = Int64(owed(of: grant.unit) - owedBefore)
        return Clawback.Units(
            unit: grant.unit,
            granted: Int64(clamping: grant.units),
            toRecover: toRecover,
            recovered: toRecover - owed,
            owed: owed,
            rounding: grant.rounding
        )
    }

    /// How much of what is taken back was used: never more than is taken back.
    private func owed(of unit: String) -> Int128 {
        let taken = taken[unit] ?? 0
        let missing = taken + usage.used(of: unit) - (granted[unit] ?? 0)
        return max(0, min(taken, missing))
    }
}

extension UnitGrant {
    /// The units of a transaction; nil for what is no consumable.
    fileprivate init?(_ subject: RegisterSubject, _ catalog: Catalog) {
        guard subject.type?.known == .consumable, let product = subject.productID else { return nil }
        self.init(product, quantity: subject.quantity, catalog)
    }
}
