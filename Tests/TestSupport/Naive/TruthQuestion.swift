package import LedgerCore

/// A question about one customer's entitlements on the two clocks.
package struct TruthQuestion: Hashable, Sendable, CustomStringConvertible {
    package var key: CustomerKey
    package var environment: StoreEnvironment
    package var at: Instant
    package var knownAt: KnownAt?

    package init(key: CustomerKey, environment: StoreEnvironment, at: Instant, knownAt: KnownAt? = nil) {
        self.key = key
        self.environment = environment
        self.at = at
        self.knownAt = knownAt
    }

    package var description: String {
        "\(key.name)=\(key.value) in \(environment) at \(at), known \(knownAt.map { "\($0)" } ?? "all")"
    }
}

extension TruthQuestion {
    /// Another catalog for the same products: other names, levels, lengths and units.
    package static let laterCatalogText = """
        {"products": {
          "com.example.pro.monthly": {"entitlement": "gold", "duration": "P9D", "units": 11, "rounding": "up"},
          "com.example.basic.monthly": {"entitlement": "gold", "level": 3, "unit": "gems", "units": 2}
        }}
        """

    /// A catalog for the products of ``Story``: names shared by products, levels, lengths, units with roundings.
    package static let catalogText = """
        {"products": {
          "com.example.pro.monthly":
            {"entitlement": "pro", "level": 1, "duration": "P6D", "unit": "coins", "units": 7, "rounding": "nearest"},
          "com.example.basic.monthly":
            {"entitlement": "pro", "level": 2, "duration": "P2D", "unit": "gems", "units": 5}
        }}
        """

    /// A random question about the customers of a ``Story`` whose lines were recorded as these events.
    ///
    /// `at` lies before, within and after the story, mostly to the millisecond beside one of its dates, or where a
    /// recording time lies (of a catalog, for example); `knownAt` is nothing, a position or a recording time.
    package init(about events: [LedgerEvent], using random: inout some RandomNumberGenerator) {
        func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }
        let line = pick(events.compactMap(\.originalTransactionID)) ?? OriginalTransactionID(rawValue: "0")
        let transaction = pick(events.compactMap(\.transactionID)) ?? TransactionID(rawValue: "0")
        let key: CustomerKey =
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: .originalTransactionID(line)
            case 2, 3: .transactionID(transaction)
            case 4, 5:
                .appTransactionID(AppTransactionID(rawValue: pick(Story.customers) ?? "0"))
            default: .appAccountToken(AppAccountToken(rawValue: pick(Story.tokens) ?? "0"))
            }
        let day: Int64 = 86_400_000
        let near = Int64.random(in: -3...25, using: &random) * day + Int64.random(in: -1...1, using: &random)
        let any = Int64.random(in: -10 * day...100 * day, using: &random)
        let recorded = pick(events.map(\.recordedAt.milliseconds)) ?? 0
        let at =
            switch Int.random(in: 0..<8, using: &random) {
            case 0: any
            case 1: recorded + Int64.random(in: -1...1, using: &random) - Payload.sampleSignedDate
            default: near
            }
        self.init(
            key: key,
            environment: Int.random(in: 0..<4, using: &random) == 0 ? .sandbox : .production,
            at: Instant(milliseconds: Payload.sampleSignedDate + at),
            knownAt: Self.knownAt(events, &random)
        )
    }

    private static func knownAt(_ events: [LedgerEvent], _ random: inout some RandomNumberGenerator) -> KnownAt? {
        guard let event = events.randomElement(using: &random) else { return nil }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return .position(Position(event.position.rawValue + Int64.random(in: -1...1, using: &random)))
        case 1: return .time(event.recordedAt.adding(milliseconds: Int64.random(in: -1...1, using: &random)))
        default: return nil
        }
    }
}
