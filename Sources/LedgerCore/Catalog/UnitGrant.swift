/// The units that a purchase of a consumable brings, by the catalog.
package struct UnitGrant: Hashable, Sendable {
    /// The catalog's unit, or the productId where the catalog has none.
    package var unit: String
    /// Quantity times the catalog's units; a quantity that is missing is 1, one below 0 brings nothing.
    package var units: Int128
    /// How a share of them is rounded.
    package var rounding: UnitRounding

    /// The units of so many pieces of a product.
    package init(_ product: ProductID, quantity: Int64?, _ catalog: Catalog) {
        let entry = catalog.entry(for: product)
        unit = entry.unit ?? product.rawValue
        units = Int128(entry.units) * Int128(max(0, quantity ?? 1))
        rounding = entry.rounding
    }

    /// What cannot be taken back of so many units because so many were used.
    package func owed(of taken: Int64, used: Int128) -> Int64 {
        Int64(max(0, min(Int128(taken), Int128(taken) + used - units)))
    }

    /// A share of the units in whole units; what leaves the range counts as all of them.
    package func share(_ percentage: Percentage) -> Int64 {
        rounding.share(of: units, percentage) ?? Int64(clamping: units)
    }
}
