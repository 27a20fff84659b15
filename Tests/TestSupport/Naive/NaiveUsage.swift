import LedgerCore

/// A report of used units as the naive replay sees it: the decoded payload, and what only the log knows of it.
struct NaiveUsage: Sendable {
    let environment: StoreEnvironment
    let position: Position
    let recordedAt: Instant
    /// When they were used, in milliseconds.
    let used: Int64
    let amount: Int64
    let unit: String?
    /// The member that names whose units they are, and its value.
    let holder: (name: String, value: String)

    /// nil for an event that is no report.
    init?(_ event: LedgerEvent) {
        guard event.kind == .usage, let environment = event.environment,
            case .object(let payload) = try? JSONReader.value(of: event.payload),
            let amount = payload.integer("amount"),
            let name = Self.narrowestFirst.first(where: { payload.text($0) != nil }), let value = payload.text(name)
        else { return nil }
        self.environment = environment
        self.amount = amount
        position = event.position
        recordedAt = event.recordedAt
        used = payload.integer("usedAt") ?? event.recordedAt.milliseconds
        unit = payload.text("unit")
        holder = (name, value)
    }

    private static let narrowestFirst = [
        "transactionId", "originalTransactionId", "appAccountToken", "appTransactionId",
    ]

    /// What falls on each transaction, found unit by unit: each goes to the oldest purchase of its key that has one left,
    /// else to the oldest of which one was taken back, else to the newest.
    static func spread(
        _ usages: [NaiveUsage],
        over lines: [NaiveLine],
        _ time: Int64,
        _ catalog: NaiveCatalog
    ) -> [String: Int64] {
        let bought = lines.flatMap { line in line.purchases.map { (line, $0) } }
            .filter { $0.1.type == "Consumable" && $0.1.hasBegun(time) && $0.1.product != nil }
            .sorted { ($0.1.purchased, $0.1.id) < ($1.1.purchased, $1.1.id) }
        var used: [String: Int64] = [:]
        let counted = usages.filter { $0.used <= time }.sorted { $0.place < $1.place }
        for usage in counted {
            let mine = bought.filter { usage.names($0.1, of: $0.0, catalog) }.map(\.1)
            for _ in 0..<usage.amount {
                func left(_ purchase: NaivePurchase, keepingTakenBack: Bool) -> Int64 {
                    let units = purchase.units(catalog)
                    let gone = keepingTakenBack ? purchase.takenBack(of: units, time, catalog) : 0
                    return units - gone - (used[purchase.id] ?? 0)
                }
                let place =
                    mine.first { left($0, keepingTakenBack: true) > 0 }
                    ?? mine.first { left($0, keepingTakenBack: false) > 0 } ?? mine.last
                if let place { used[place.id, default: 0] += 1 }
            }
        }
        return used
    }

    /// Narrow reports go before wide ones.
    private var place: (Int, String, String) {
        (Self.narrowestFirst.firstIndex(of: holder.name) ?? 0, holder.value, unit ?? "")
    }

    private func names(_ purchase: NaivePurchase, of line: NaiveLine, _ catalog: NaiveCatalog) -> Bool {
        let value: String? =
            switch holder.name {
            case "transactionId": purchase.id
            case "originalTransactionId": line.id
            case "appAccountToken": line.token
            default: line.customer
            }
        let productUnit = purchase.product.map(catalog.unit)
        return value == holder.value && (unit == nil || unit == productUnit)
    }
}

extension NaivePurchase {
    /// The units that it brought.
    fileprivate func units(_ catalog: NaiveCatalog) -> Int64 {
        product.map { catalog.units($0) * max(0, document.integer("quantity") ?? 1) } ?? 0
    }
}
