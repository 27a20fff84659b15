import LedgerCore

/// A catalog as the naive replay reads it: the members of its JSON text (API.md, "Running it").
package struct NaiveCatalog: Sendable {
    private let products: JSONObject

    package init(_ json: String) throws {
        guard case .object(let catalog) = try JSONReader.value(of: Array(json.utf8)),
            case .object(let products)? = catalog["products"]
        else { preconditionFailure("a catalog is an object with a member products") }
        self.products = products
    }

    private func entry(_ product: String) -> JSONObject {
        if case .object(let entry)? = products[product] { entry } else { JSONObject() }
    }

    func entitlement(_ product: String) -> String { entry(product).text("entitlement") ?? product }
    func level(_ product: String) -> Int64? { entry(product).integer("level") }
    func unit(_ product: String) -> String { entry(product).text("unit") ?? product }
    func units(_ product: String) -> Int64 { entry(product).integer("units") ?? 1 }

    /// How long it lasts, in milliseconds; of durations only whole days (`P6D`) are understood.
    func duration(_ product: String) -> Int64? {
        guard let text = entry(product).text("duration") else { return nil }
        guard text.hasPrefix("P"), text.hasSuffix("D"), let days = Int64(text.dropFirst().dropLast()) else {
            preconditionFailure("the naive catalog understands durations of days")
        }
        return days * 86_400_000
    }

    /// A share of units, in thousandths of a percent, rounded as the catalog says.
    func share(_ share: Int64, of units: Int64, _ product: String) -> Int64 {
        let exact = Double(units) * Double(share) / 100_000
        return switch entry(product).text("rounding") {
        case "up": Int64(exact.rounded(.up))
        case "nearest": Int64(exact.rounded(.toNearestOrAwayFromZero))
        default: Int64(exact.rounded(.down))
        }
    }
}
