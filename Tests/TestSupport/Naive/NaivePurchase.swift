import LedgerCore

/// One transaction in its winning rendering, and the questions that PROTOCOL.md 8.3 asks of it; times in milliseconds.
struct NaivePurchase: Sendable {
    let document: NaiveDocument

    func text(_ name: String) -> String? { document.text(name) }
    var id: String { text("transactionId") ?? "" }
    var type: String? { text("type") }
    var product: String? { text("productId") }
    var purchased: Int64 { document.integer("purchaseDate") ?? document.signed }
    var expires: Int64? { document.integer("expiresDate") }
    var revoked: Int64? { document.integer("revocationDate") }
    var isUpgraded: Bool { document.isTrue("isUpgraded") }

    /// A customer's own purchase counts from its signing, because Sandbox dates run ahead (8.3 step 2).
    var begins: Int64 {
        let isOwn = text("inAppOwnershipType") == "PURCHASED" && text("transactionReason") != "RENEWAL"
        return isOwn ? min(purchased, document.signed) : purchased
    }

    func hasBegun(_ time: Int64) -> Bool { begins <= time }
    func isRevoked(_ time: Int64) -> Bool { revoked.map { $0 <= time } ?? false }
    func isLive(_ time: Int64) -> Bool { hasBegun(time) && !isRevoked(time) && !isUpgraded }

    /// "Greatest `purchaseDate`, tie: `expiresDate`, then `transactionId`" (8.3 step 2).
    static func isOlder(_ left: Self, _ right: Self) -> Bool {
        (left.purchased, left.expires ?? .min, left.id) < (right.purchased, right.expires ?? .min, right.id)
    }

    /// Every date after which time alone can change what it grants, an assumed grace and the retry included.
    var dates: [Int64] {
        let end = expires.map { [$0, $0 + NaiveSubscription.assumedGrace, $0 + NaiveSubscription.retry] } ?? []
        return end + [begins, purchased] + (revoked.map { [$0] } ?? [])
    }

    /// The share of its units to be taken back, in thousandths of a percent; nil: nothing by itself (8.5, 9-1, 9-7).
    var shareTakenBack: Int64? {
        guard [nil, 0, 1].contains(document.integer("revocationReason")) else { return nil }
        let stated = document.integer("revocationPercentage")
        let share: Int64? =
            switch text("revocationType") {
            case "FAMILY_REVOKE", "ASSIGNMENT_REVOKE": nil
            case "REFUND_FULL": stated ?? 100_000
            case nil: text("inAppOwnershipType") == "PURCHASED" ? stated ?? 100_000 : nil
            default: stated
            }
        return share.flatMap { (0...100_000).contains($0) ? $0 : nil }
    }

    /// How many of its units are taken back.
    func takenBack(of units: Int64, _ time: Int64, _ catalog: NaiveCatalog) -> Int64 {
        guard isRevoked(time), let product, let share = shareTakenBack else { return 0 }
        return catalog.share(share, of: units, product)
    }

    /// The revocation in force, as an answer shows it.
    func revocation(_ time: Int64) -> JSONValue {
        guard isRevoked(time) else { return .null }
        return .members([
            "revocationType": document.shown("revocationType"),
            "revocationReason": document.shown("revocationReason"),
            "revocationDate": document.shownTime("revocationDate"),
            "revocationPercentage": document.shown("revocationPercentage"),
        ])
    }
}
