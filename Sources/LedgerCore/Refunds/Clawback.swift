/// What one entry of the refund register takes back, or gives back: units of a consumable, or access alone
/// (PROTOCOL.md section 8.5).
package struct Clawback: Hashable, Sendable {
    /// Units of a consumable, negative where a reversal gives them back.
    package struct Units: Hashable, Sendable {
        /// The catalog's unit, or the productId where the catalog has none.
        package var unit: String
        /// What the transaction brought.
        package var granted: Int64
        /// The difference of the rounded totals.
        package var toRecover: Int64
        /// How many of them were there to be taken.
        package var recovered: Int64
        /// How many were used already.
        package var owed: Int64
        /// How a share of the granted units is rounded.
        package var rounding: UnitRounding
    }

    /// The entry, which names the transaction and its product.
    package var entry: RegisterEntry
    /// The share of the purchase that is revoked after the entry, units or not; nil when it is unknown.
    package var percentage: Percentage?
    /// Nil for what is not counted in units: then access ends, and the percentage is shown.
    package var units: Units?
}

/// One unit's sums over clawbacks.
package struct ClawbackTotal: Hashable, Sendable {
    /// The catalog's unit, or the productId where the catalog has none.
    package var unit: String
    /// What is to be taken back, less what reversals give back.
    package var toRecover: Int128 = 0
    /// How much of it was there to be taken.
    package var recovered: Int128 = 0
    /// How much of it was used.
    package var owed: Int128 = 0

    /// The sums of each unit, in the order of the units.
    package static func byUnit(_ clawbacks: some Sequence<Clawback>) -> [ClawbackTotal] {
        var sums = ClawbackSums()
        sums.add(clawbacks)
        return sums.byUnit
    }
}

/// Sums over clawbacks that come in pieces.
package struct ClawbackSums: Hashable, Sendable {
    private var totals: [String: ClawbackTotal] = [:]

    /// The sums of nothing.
    package init() {}

    /// Takes clawbacks in; those without units change nothing.
    package mutating func add(_ clawbacks: some Sequence<Clawback>) {
        for units in clawbacks.lazy.compactMap(\.units) {
            var total = totals[units.unit] ?? ClawbackTotal(unit: units.unit)
            total.toRecover += Int128(units.toRecover)
            total.recovered += Int128(units.recovered)
            total.owed += Int128(units.owed)
            totals[units.unit] = total
        }
    }

    /// The sums of each unit, in the order of the units.
    package var byUnit: [ClawbackTotal] { totals.values.sorted { $0.unit < $1.unit } }
}
