import FoundationEssentials

/// An entitlement set in words.
struct StoryAnswer {
    private struct Set: Decodable {
        var entitlements: [Entitlement]
        var subscriptions: [Subscription]
        var balances: [Balance]
    }

    private struct Entitlement: Decodable {
        var entitlement: String
        var productId: String
        var state: String
        var accessUntil: String?
        var inAppOwnershipType: String
    }

    private struct Subscription: Decodable {
        var productId: String
        var state: String
        var autoRenewStatus: Int?
    }

    private struct Balance: Decodable {
        var unit: String
        var granted: Int64
        var clawedBack: Int64
        var net: Int64
    }

    private let set: Set

    init(_ body: [UInt8]) throws { set = try JSONDecoder().decode(Set.self, from: Data(body)) }

    func text(for customer: Story.Customer) -> String {
        var lines = ["\(customer.name) (\(customer.appTransactionID)) \(customer.history):"]
        for entitlement in set.entitlements {
            let end = entitlement.accessUntil.map { "until \($0)" } ?? "without an end"
            let owner = entitlement.inAppOwnershipType == "FAMILY_SHARED" ? ", shared by the family" : ""
            lines.append("  may use \"\(entitlement.entitlement)\" \(end)")
            lines.append("    because \(entitlement.productId) is \(entitlement.state)\(owner)")
        }
        for subscription in set.subscriptions {
            let renews = subscription.autoRenewStatus == 1 ? "will be renewed" : "will not be renewed"
            lines.append("    \(subscription.productId) \(renews)")
        }
        for balance in set.balances {
            lines.append("  has \(balance.net) \(balance.unit)")
            lines.append("    because \(balance.granted) were granted and \(balance.clawedBack) taken back by a refund")
        }
        if set.entitlements.isEmpty && set.balances.isEmpty { lines.append("  may use nothing") }
        return lines.joined(separator: "\n") + "\n"
    }
}
