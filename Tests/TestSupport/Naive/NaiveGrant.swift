import LedgerCore

/// One line that grants one entitlement.
struct NaiveGrant {
    private let line: NaiveLine
    private let purchase: NaivePurchase
    private let state: String
    private let until: Int64?
    private let name: String
    private let level: Int64?

    init?(_ line: NaiveLine, _ purchase: NaivePurchase, _ state: String, until: Int64?, _ catalog: NaiveCatalog) {
        guard let product = purchase.product else { return nil }
        self.line = line
        self.purchase = purchase
        self.state = state
        self.until = until
        name = catalog.entitlement(product)
        level = catalog.level(product)
    }

    /// The rows by entitlement and transaction; of each entitlement the lowest level, then the latest end, is effective.
    static func rows(_ grants: [NaiveGrant]) -> [JSONValue] {
        let sorted = grants.sorted { ($0.name, $0.purchase.id) < ($1.name, $1.purchase.id) }
        return sorted.map { grant in
            let rivals = sorted.filter { $0.name == grant.name }
            let best = rivals.min { left, right in
                (left.level ?? .max, -(left.until ?? .max)) < (right.level ?? .max, -(right.until ?? .max))
            }
            return grant.row(isEffective: best?.purchase.id == grant.purchase.id)
        }
    }

    private func row(isEffective: Bool) -> JSONValue {
        .members([
            "entitlement": .string(name), "productId": purchase.document.shown("productId"),
            "type": purchase.document.shown("type"), "state": .string(state), "transactionId": .string(purchase.id),
            "originalTransactionId": .string(line.id), "appTransactionId": .text(line.customer),
            "appAccountToken": .text(line.token), "bundleId": purchase.document.shown("bundleId"),
            "inAppOwnershipType": purchase.document.shown("inAppOwnershipType"),
            "purchaseDate": purchase.document.shownTime("purchaseDate"), "accessUntil": .time(until),
            "level": level.map(JSONValue.integer) ?? .null, "effective": .boolean(isEffective),
        ])
    }
}
