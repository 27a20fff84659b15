/// What products mean to us: which entitlement they grant, at which level, for how long, or how many units of what.
///
/// A product without an entry still works: its entitlement, or its unit, is the product itself.
package struct Catalog: Sendable, Hashable {
    package private(set) var products: [ProductID: CatalogProduct]

    /// No entries: every product stands for itself.
    package static let empty = Catalog(products: [:])

    package init(products: [ProductID: CatalogProduct]) { self.products = products }

    /// The entry of a product; the default one where the catalog has none.
    package func entry(for product: ProductID) -> CatalogProduct { products[product] ?? CatalogProduct() }
}

/// A catalog's entry for one product.
package struct CatalogProduct: Sendable, Hashable {
    /// The name of what it grants; nil: the productId.
    package var entitlement: String?
    /// The level of service, 1 is the highest; nil: below every level that is given.
    package var level: Int64?
    /// How long a non-renewing subscription lasts; nil: it does not end by itself.
    package var duration: CalendarDuration?
    /// What a consumable is counted in; nil: the productId.
    package var unit: String?
    /// How many units one piece brings.
    package var units: Int64
    /// How a share of units is rounded to whole units when it is taken back.
    package var rounding: UnitRounding

    package init(
        entitlement: String? = nil,
        level: Int64? = nil,
        duration: CalendarDuration? = nil,
        unit: String? = nil,
        units: Int64 = 1,
        rounding: UnitRounding = .down
    ) {
        self.entitlement = entitlement
        self.level = level
        self.duration = duration
        self.unit = unit
        self.units = units
        self.rounding = rounding
    }
}

/// How a share of units becomes whole units.
package enum UnitRounding: String, Hashable, Sendable, CaseIterable {
    /// In the customer's favour.
    case down
    case up
    /// Half away from zero.
    case nearest

    /// units × percentage, in whole units; nil when it leaves `Int64`.
    package func share(of units: Int128, _ percentage: Percentage) -> Int64? {
        let whole = Int128(Percentage.whole.rawValue)
        let (product, overflow) = units.multipliedReportingOverflow(by: Int128(percentage.rawValue))
        guard !overflow else { return nil }
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: whole)
        let carry: Int128 =
            switch self {
            case .down: 0
            case .up: remainder > 0 ? 1 : 0
            case .nearest: 2 * remainder >= whole ? 1 : 0
            }
        return Int64(exactly: quotient + carry)
    }
}
