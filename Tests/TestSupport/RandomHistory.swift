package import LedgerCore

/// A random history of one transaction: renderings with ties, revocations of every kind, reversals, partial refunds,
/// absurd values, prices that come and go, Advanced Commerce items, duplicates, in a random order of arrival.
///
/// The same seed gives the same history.
package struct RandomHistory: Sendable {
    /// Day 0, when the transaction was bought: 2026-01-01, UTC.
    package static let epoch: Int64 = 1_767_225_600_000

    private var random: SeededGenerator
    private let transaction: String
    /// In the order of arrival, each with who brings it.
    package private(set) var arrivals: [(payload: Payload, source: EventSource)] = []

    /// The history of a transaction, which is its own line.
    package init(seed: UInt64, transaction: String = "1") {
        random = SeededGenerator(seed: seed)
        self.transaction = transaction
        let count = Int.random(in: 1...9, using: &random)
        let isOrderly = chance(2)
        let hasItems = chance(6)
        var payloads = (0..<count).map { _ in payload(isOrderly: isOrderly, hasItems: hasItems) }
        if chance(3) { payloads.append(payloads[0]) }
        for payload in payloads.shuffled(using: &random) {
            arrivals.append((payload, pick([.notification, .device, .api, .history])))
        }
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }

    private mutating func day(_ range: ClosedRange<Int>) -> Payload.Value {
        .integer(Self.epoch + Int64(Int.random(in: range, using: &random)) * 86_400_000)
    }

    /// An orderly history has one price and one owner; the other has whatever comes.
    private mutating func payload(isOrderly: Bool, hasItems: Bool) -> Payload {
        let owners = isOrderly ? ["PURCHASED"] : ["PURCHASED", "PURCHASED", "PURCHASED", "FAMILY_SHARED", "LEASED"]
        let prices: [Int64] = isOrderly ? [9990] : [9990, 9990, 0, -5, 1, 1_000_000_000_000_000, .max]
        var payload = Payload.transaction(
            transaction,
            [
                "type": "Consumable", "productId": "com.example.coins", "expiresDate": nil, "storefront": "USA",
                "purchaseDate": .integer(Self.epoch), "signedDate": day(1...8),
                "inAppOwnershipType": .text(pick(owners)), "quantity": .integer(pick([1, 3, 5])),
                "price": !isOrderly && chance(3) ? nil : .integer(pick(prices)),
                "currency": !isOrderly && chance(4) ? nil : .text(isOrderly ? "KWD" : pick(["KWD", "KRW"])),
                "appAccountToken": chance(3) ? .text(Story.tokens[0]) : nil,
            ]
        )
        if !chance(3) { payload = payload.with(revocation()) }
        if hasItems && !chance(3) { payload["advancedCommerceInfo"] = .json(items()) }
        return payload
    }

    private mutating func revocation() -> [String: Payload.Value?] {
        let types = [
            "REFUND_FULL", "REFUND_PRORATED", "REFUND_PRORATED", "FAMILY_REVOKE", "ASSIGNMENT_REVOKE", "NEW", nil,
        ]
        let percentages: [Int64?] = [nil, 0, 33_333, 66_667, 100_000, 250_000, -1]
        let reasons: [Int64?] = [0, 1, 2, nil]
        return [
            "revocationDate": day(1...4), "revocationType": pick(types).map { .text($0) },
            "revocationPercentage": pick(percentages).map { .integer($0) },
            "revocationReason": pick(reasons).map { .integer($0) },
        ]
    }

    private mutating func items() -> String {
        let amounts = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            pick(["{\"refundAmount\":500}", "{\"refundAmount\":250}", "{}", "{\"refundAmount\":-1}"])
        }
        let revoked = chance(2) ? ",\"revocationDate\":\(Self.epoch)" : ""
        return "{\"items\":[{\"SKU\":\"a\",\"refunds\":[\(amounts.joined(separator: ","))]\(revoked)}]}"
    }
}
