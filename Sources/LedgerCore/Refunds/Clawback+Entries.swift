extension Clawback {
    /// What was used of a transaction, as an entry finds it: in units of the catalog that the entry is judged by.
    package typealias Used = (RegisterEntry, Catalog) -> Int128

    /// The clawbacks of one transaction: one for each refund and reversal, and for a revocation without money only where
    /// it takes units.
    ///
    /// The refund decides what is to be recovered. What was used cannot be: it is owed, and a reversal gives back what
    /// was taken and forgives what was owed.
    /// - Parameters:
    ///   - entries: all entries of the transaction, in the order of their signing.
    ///   - catalog: the catalog in force at an entry's time; tells units and rounding.
    ///   - used: how many of the transaction's units were used.
    /// - Returns: rows that add up to the state: to what is taken back, and to what is owed of it.
    package static func rows(
        of entries: [RegisterEntry],
        catalog: (RegisterEntry) -> Catalog,
        used: Used
    ) -> [Clawback] {
        var taken: Int64 = 0
        var owed: Int64 = 0
        return entries.compactMap { entry in
            let catalog = catalog(entry)
            guard let grant = UnitGrant(entry.subject, catalog) else {
                return entry.isAboutMoney ? Clawback(entry: entry, percentage: entry.shownShare, units: nil) : nil
            }
            let total = entry.unitShare.map(grant.share) ?? 0
            let totalOwed = total > 0 ? grant.owed(of: total, used: used(entry, catalog)) : 0
            defer { (taken, owed) = (total, totalOwed) }
            // Totals are from 0 up, so the differences stay inside 64 bits.
            guard entry.isAboutMoney || total != taken else { return nil }
            let units = Units(
                unit: grant.unit,
                granted: Int64(clamping: grant.units),
                toRecover: total - taken,
                recovered: (total - totalOwed) - (taken - owed),
                owed: totalOwed - owed,
                rounding: grant.rounding
            )
            return Clawback(entry: entry, percentage: entry.shownShare, units: units)
        }
    }
}

extension RegisterEntry {
    /// The share that a clawback shows: that of the units, where it is known.
    fileprivate var shownShare: Percentage? { unitShare ?? percentage }
}

extension UnitGrant {
    /// The units of a transaction; nil for what is no consumable.
    fileprivate init?(_ subject: RegisterSubject, _ catalog: Catalog) {
        guard subject.type?.known == .consumable, let product = subject.productID else { return nil }
        self.init(product, quantity: subject.quantity, catalog)
    }
}
