import LedgerCore
import TestSupport

/// A random history of one transaction: renderings with ties, revocations of every kind, reversals, partial refunds,
/// absurd values, prices that come and go, Advanced Commerce items, duplicates, in a random order of arrival.
struct RandomRenderings {
    private var random: SeededGenerator
    /// In the order of arrival: positions 1, 3, 5, …, because other events come between.
    private(set) var arrivals: [RegisterRendering] = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...9, using: &random)
        let isOrderly = chance(2)
        let hasItems = chance(6)
        var payloads = (0..<count).map { _ in payload(isOrderly: isOrderly, hasItems: hasItems) }
        if chance(3) { payloads.append(payloads[0]) }
        for (index, payload) in payloads.shuffled(using: &random).enumerated() {
            arrivals.append(
                try RegisterSample.rendering(
                    payload,
                    at: Int64(2 * index + 1),
                    recordedAt: .day(Double(100 + index)),
                    source: pick([.notification, .device, .api, .history])
                )
            )
        }
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }

    /// An orderly history has one price and one owner; the other has whatever comes.
    private mutating func payload(isOrderly: Bool, hasItems: Bool) -> Payload {
        let owners = isOrderly ? ["PURCHASED"] : ["PURCHASED", "PURCHASED", "PURCHASED", "FAMILY_SHARED", "LEASED"]
        let prices: [Int64] = isOrderly ? [9990] : [9990, 9990, 0, -5, 1, 1_000_000_000_000_000, .max]
        var payload = RegisterSample.payload(
            signed: Double(Int.random(in: 1...8, using: &random)),
            [
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
        RegisterSample.revoked(
            Double(Int.random(in: 1...4, using: &random)),
            pick([
                "REFUND_FULL", "REFUND_PRORATED", "REFUND_PRORATED", "FAMILY_REVOKE", "ASSIGNMENT_REVOKE", "NEW", nil,
            ]),
            percentage: pick([nil, 0, 33_333, 66_667, 100_000, 250_000, -1]),
            reason: pick([0, 1, 2, nil])
        )
    }

    private mutating func items() -> String {
        let amounts = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            pick(["{\"refundAmount\":500}", "{\"refundAmount\":250}", "{}", "{\"refundAmount\":-1}"])
        }
        let revoked = chance(2) ? ",\"revocationDate\":1767225600000" : ""
        return "{\"items\":[{\"SKU\":\"a\",\"refunds\":[\(amounts.joined(separator: ","))]\(revoked)}]}"
    }
}
