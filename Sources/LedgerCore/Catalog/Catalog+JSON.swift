import FoundationEssentials

/// Why a catalog was refused: which product, which member, what it should be.
package enum CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
    case notJSON(String)
    case unknownMember(product: String?, member: String)
    case badMember(product: String, member: String, expected: String)

    package var description: String {
        switch self {
        case .notJSON(let reason):
            "The catalog is not a JSON object with a member \"products\": \(reason)."
        case .unknownMember(let product, let member):
            "The catalog has a member \"\(member)\" \(product.map { "in product \"\($0)\" " } ?? "")that it cannot have; "
                + "products have entitlement, level, duration, unit, units and rounding."
        case .badMember(let product, let member, let expected):
            "In the catalog, \"\(member)\" of product \"\(product)\" must be \(expected)."
        }
    }
}

extension Catalog {
    /// Reads a catalog file (API.md, "Running it").
    package init(json: [UInt8]) throws(CatalogError) {
        let file: CatalogFile
        do {
            file = try JSONDecoder().decode(CatalogFile.self, from: Data(json))
        } catch {
            throw .notJSON("it cannot be parsed, or a member has the wrong type")
        }
        if let member = file.unknown.sorted().first { throw .unknownMember(product: nil, member: member) }
        var products: [ProductID: CatalogProduct] = [:]
        for (name, entry) in file.products.sorted(by: { $0.key < $1.key }) {
            products[ProductID(rawValue: name)] = try entry.product(named: name)
        }
        self.init(products: products)
    }
}

private struct CatalogFile: Decodable {
    var products: [String: CatalogEntry]
    var unknown: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        products = try container.decode([String: CatalogEntry].self, forKey: AnyKey("products"))
        unknown = container.allKeys.map(\.stringValue).filter { $0 != "products" }
    }
}

private struct CatalogEntry: Decodable {
    var texts: [String: String] = [:]
    var integers: [String: Int64] = [:]
    var wrong: [String] = []
    var unknown: [String] = []

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        for key in container.allKeys {
            switch key.stringValue {
            case "entitlement", "duration", "unit", "rounding":
                texts[key.stringValue] = try? container.decode(String.self, forKey: key)
                if texts[key.stringValue] == nil { wrong.append(key.stringValue) }
            case "level", "units":
                integers[key.stringValue] = try? container.decode(Int64.self, forKey: key)
                if integers[key.stringValue] == nil { wrong.append(key.stringValue) }
            default: unknown.append(key.stringValue)
            }
        }
    }

    private static let expectations = [
        "entitlement": "a text that is not empty", "unit": "a text that is not empty",
        "level": "a whole number from 1", "units": "a whole number from 1 to 1000000000000",
        "duration": "an ISO 8601 duration such as \"P3M\"", "rounding": "\"down\", \"up\" or \"nearest\"",
    ]

    func product(named name: String) throws(CatalogError) -> CatalogProduct {
        func refusal(_ member: String) -> CatalogError {
            .badMember(product: name, member: member, expected: Self.expectations[member] ?? "another value")
        }
        if let member = unknown.sorted().first { throw .unknownMember(product: name, member: member) }
        if let member = wrong.sorted().first { throw refusal(member) }
        for member in ["entitlement", "unit"] where texts[member]?.isEmpty == true { throw refusal(member) }
        if let level = integers["level"], level < 1 { throw refusal("level") }
        if let units = integers["units"], !(1...1_000_000_000_000).contains(units) { throw refusal("units") }
        let duration = texts["duration"].map(CalendarDuration.init(iso8601:))
        if let duration, duration == nil { throw refusal("duration") }
        let rounding = texts["rounding"].map(UnitRounding.init(rawValue:))
        if let rounding, rounding == nil { throw refusal("rounding") }
        return CatalogProduct(
            entitlement: texts["entitlement"],
            level: integers["level"],
            duration: duration ?? nil,
            unit: texts["unit"],
            units: integers["units"] ?? 1,
            rounding: (rounding ?? nil) ?? .down
        )
    }
}

private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
