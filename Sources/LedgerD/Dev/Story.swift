import FoundationEssentials
import LedgerCore
import StoreSimulator

/// The small story that `ledgerd dev` tells its daemon: what happened to a few customers, as the notifications that the
/// App Store would have sent.
struct Story {
    /// Somebody whose entitlements are shown at the end.
    struct Customer {
        var name: String
        var appTransactionID: String
        /// What happened to them, in words.
        var history: String
    }

    static let bundleID = BundleID(rawValue: "com.example.app")
    static let appAppleID: Int64 = 1_234_567_890

    static let subscriber = Customer(
        name: "Ada",
        appTransactionID: "704998812345670101",
        history: "subscribed 40 days ago, was renewed, and has just cancelled"
    )
    static let gamer = Customer(
        name: "Ben",
        appTransactionID: "704998812345670102",
        history: "bought 500 coins and got 40 % of the price back"
    )
    static let owner = Customer(
        name: "Cleo",
        appTransactionID: "704998812345670103",
        history: "bought the lifetime product and shares it"
    )
    static let member = Customer(
        name: "Cleo's son",
        appTransactionID: "704998812345670104",
        history: "uses what Cleo shares with the family"
    )

    static let customers = [subscriber, gamer, owner, member]

    /// Days before now.
    private let now: Instant

    init(now: Instant) { self.now = now }

    private func daysAgo(_ days: Int64) -> Instant { now.adding(milliseconds: -days * 86_400_000) }

    /// The decoded notifications, in order.
    var notifications: [[UInt8]] {
        let monthly = Purchase(
            id: "560001100000011",
            customer: Self.subscriber,
            product: "com.example.pro.monthly",
            type: "Auto-Renewable Subscription",
            price: 9990,
            purchased: daysAgo(40),
            expires: daysAgo(10)
        )
        let renewed = Purchase(
            id: "560001100000012",
            line: "560001100000011",
            customer: Self.subscriber,
            product: "com.example.pro.monthly",
            type: "Auto-Renewable Subscription",
            price: 9990,
            purchased: daysAgo(10),
            expires: daysAgo(-20),
            reason: "RENEWAL"
        )
        let coins = Purchase(
            id: "560001100000021",
            customer: Self.gamer,
            product: "com.example.coins.500",
            type: "Consumable",
            price: 4990,
            purchased: daysAgo(6)
        )
        let lifetime = Purchase(
            id: "560001100000031",
            customer: Self.owner,
            product: "com.example.lifetime",
            type: "Non-Consumable",
            price: 49_990,
            purchased: daysAgo(5)
        )
        let shared = Purchase(
            id: "560001100000041",
            customer: Self.member,
            product: "com.example.lifetime",
            type: "Non-Consumable",
            price: 49_990,
            purchased: daysAgo(5),
            ownership: "FAMILY_SHARED"
        )
        return [
            notification("SUBSCRIBED", "INITIAL_BUY", monthly, signed: daysAgo(40), autoRenew: true, status: 1),
            notification("DID_RENEW", nil, renewed, signed: daysAgo(10), autoRenew: true, status: 1),
            notification(
                "DID_CHANGE_RENEWAL_STATUS",
                "AUTO_RENEW_DISABLED",
                renewed,
                signed: daysAgo(1),
                autoRenew: false,
                status: 1
            ),
            notification("ONE_TIME_CHARGE", nil, coins, signed: daysAgo(6)),
            notification("REFUND", nil, coins.refunded(at: daysAgo(2), percentage: 40_000), signed: daysAgo(2)),
            notification("ONE_TIME_CHARGE", nil, lifetime, signed: daysAgo(5)),
            notification("ONE_TIME_CHARGE", nil, shared, signed: daysAgo(5)),
        ]
    }

    private func notification(
        _ type: String,
        _ subtype: String?,
        _ purchase: Purchase,
        signed: Instant,
        autoRenew: Bool? = nil,
        status: Int64? = nil
    ) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("notificationType", type)
        if let subtype { json.member("subtype", subtype) }
        json.member("notificationUUID", UUID().uuidString.lowercased())
        json.member("version", "2.0")
        json.member("signedDate", signed.milliseconds)
        json.name("data")
        json.beginObject()
        json.member("appAppleId", Self.appAppleID)
        json.member("bundleId", Self.bundleID)
        json.member("environment", "Production")
        if let status { json.member("status", status) }
        json.name("transactionInfo")
        purchase.writeTransaction(to: &json, signed: signed)
        if let autoRenew {
            json.name("renewalInfo")
            purchase.writeRenewalInfo(to: &json, signed: signed, autoRenew: autoRenew)
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }
}

/// One purchase of the story.
private struct Purchase {
    var id: String
    var line: String?
    var customer: Story.Customer
    var product: String
    var type: String
    var price: Int64
    var purchased: Instant
    var expires: Instant?
    var reason = "PURCHASE"
    var ownership = "PURCHASED"
    var refund: (at: Instant, percentage: Int64)?

    func refunded(at instant: Instant, percentage: Int64) -> Purchase {
        var refunded = self
        refunded.refund = (instant, percentage)
        return refunded
    }

    func writeTransaction(to json: inout JSONWriter, signed: Instant) {
        json.beginObject()
        json.member("transactionId", id)
        json.member("originalTransactionId", line ?? id)
        json.member("bundleId", Story.bundleID)
        json.member("productId", product)
        if let expires {
            json.member("webOrderLineItemId", "55\(id.dropFirst(2))")
            json.member("subscriptionGroupIdentifier", "21500001")
            json.member("expiresDate", expires.milliseconds)
        }
        json.member("purchaseDate", purchased.milliseconds)
        json.member("originalPurchaseDate", purchased.milliseconds)
        json.member("quantity", Int64(1))
        json.member("type", type)
        json.member("inAppOwnershipType", ownership)
        json.member("signedDate", signed.milliseconds)
        json.member("environment", "Production")
        json.member("transactionReason", reason)
        json.member("storefront", "USA")
        json.member("storefrontId", "143441")
        json.member("price", price)
        json.member("currency", "USD")
        json.member("appTransactionId", customer.appTransactionID)
        if let refund {
            json.member("revocationDate", refund.at.milliseconds)
            json.member("revocationReason", Int64(0))
            json.member("revocationType", "REFUND_PRORATED")
            json.member("revocationPercentage", refund.percentage)
        }
        json.endObject()
    }

    func writeRenewalInfo(to json: inout JSONWriter, signed: Instant, autoRenew: Bool) {
        json.beginObject()
        json.member("originalTransactionId", line ?? id)
        json.member("autoRenewProductId", product)
        json.member("productId", product)
        json.member("autoRenewStatus", Int64(autoRenew ? 1 : 0))
        json.member("signedDate", signed.milliseconds)
        json.member("environment", "Production")
        json.member("renewalDate", expires?.milliseconds)
        json.member("renewalPrice", price)
        json.member("currency", "USD")
        json.member("appTransactionId", customer.appTransactionID)
        json.endObject()
    }
}
