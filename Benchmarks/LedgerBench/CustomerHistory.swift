internal import LedgerCore

/// An invented customer, who buys, renews, changes their mind and is refunded: a source of decoded notifications that
/// depends on nothing but its number and seed.
struct CustomerHistory: Sendable {
    let appTransactionID: String
    /// About half of all customers have one.
    let appAccountToken: String?
    let storefront: Storefront

    static let bundleID = "com.example.app"
    static let appAppleID: Int64 = 1_234_567_890
    /// Customers and transactions have to fit the digits of an identifier.
    static let customersMax = 1_000_000
    static let transactionsMax = 1_000_000
    /// Seeds that differ by a multiple of this share identifiers.
    static let seedsMax: UInt64 = 900

    private var random: SplitMix64
    private let identifierBase: Int
    private var transactionCount = 0
    private var lastSignedAt: Int64 = 0
    private var subscription: Subscription?
    /// Bought once and not refunded, newest last.
    private var charges: [Purchase] = []
    private static let chargesMax = 4

    /// A line: its newest period, and what its renewal info says.
    private struct Subscription: Sendable {
        var period: Purchase
        let startedAt: Int64
        var renews = true
    }

    init(number: Int, seed: UInt64) {
        precondition(number < Self.customersMax, "customers are numbered with six digits")
        random = SplitMix64(seed: seed, stream: UInt64(number))
        let group = Int(seed % Self.seedsMax) + 100
        identifierBase = (2_000 + group) * 1_000_000_000_000 + number * Self.transactionsMax
        appTransactionID = String(704_000_000_000_000_000 + group * 1_000_000_000_000 + number)
        appAccountToken = Bool.random(using: &random) ? random.nextUUID() : nil
        storefront = Storefront.all[Int.random(in: 0..<Storefront.all.count, using: &random)]
    }

    /// The customer's keys that the ledger knows by now: `appTransactionId=…`, and so on.
    var keys: [String] {
        var keys = ["appTransactionId=\(appTransactionID)"]
        if let appAccountToken { keys.append("appAccountToken=\(appAccountToken)") }
        if let subscription { keys.append("originalTransactionId=\(subscription.period.originalTransactionID)") }
        return keys
    }

    /// The next decoded notification, signed at this time or a millisecond after the one before.
    mutating func next(at time: Int64) -> [UInt8] {
        let signedAt = max(time, lastSignedAt + 1)
        lastSignedAt = signedAt
        let choice = Int.random(in: 0..<100, using: &random)
        guard let line = subscription else {
            return choice < 80 ? subscribe("INITIAL_BUY", at: signedAt) : charge(at: signedAt)
        }
        guard line.period.revocation == nil else {
            return choice < 60 ? subscribe("RESUBSCRIBE", at: signedAt) : charge(at: signedAt)
        }
        switch choice {
        case 0..<45: return renew(line, at: signedAt)
        case 45..<65: return changeRenewalStatus(line, at: signedAt)
        case 65..<85: return charge(at: signedAt)
        default: return refund(line, at: signedAt)
        }
    }

    // MARK: What happens

    private mutating func subscribe(_ subtype: String, at time: Int64) -> [UInt8] {
        let product: Product
        let earlier = subscription?.period
        if let earlier {
            product = earlier.product
        } else {
            product = Product.subscriptions[Int.random(in: 0..<Product.subscriptions.count, using: &random)]
        }
        let period = buy(product, reason: "PURCHASE", continuing: earlier, at: time)
        subscription = Subscription(period: period, startedAt: period.purchaseDate)
        return notification("SUBSCRIBED", subtype, period, withRenewalInfo: true, at: time)
    }

    private mutating func renew(_ line: Subscription, at time: Int64) -> [UInt8] {
        let period = buy(line.period.product, reason: "RENEWAL", continuing: line.period, at: time)
        subscription?.period = period
        subscription?.renews = true
        return notification("DID_RENEW", nil, period, withRenewalInfo: true, at: time)
    }

    private mutating func changeRenewalStatus(_ line: Subscription, at time: Int64) -> [UInt8] {
        subscription?.renews = !line.renews
        let subtype = line.renews ? "AUTO_RENEW_DISABLED" : "AUTO_RENEW_ENABLED"
        return notification("DID_CHANGE_RENEWAL_STATUS", subtype, line.period, withRenewalInfo: true, at: time)
    }

    private mutating func charge(at time: Int64) -> [UInt8] {
        let product = Product.charges[Int.random(in: 0..<Product.charges.count, using: &random)]
        let purchase = buy(product, reason: "PURCHASE", continuing: nil, at: time)
        if charges.count == Self.chargesMax { charges.removeFirst() }
        charges.append(purchase)
        return notification("ONE_TIME_CHARGE", nil, purchase, withRenewalInfo: false, at: time)
    }

    /// The newest charge goes back, or the running period when there is none.
    private mutating func refund(_ line: Subscription, at time: Int64) -> [UInt8] {
        let isFull = Int.random(in: 0..<5, using: &random) > 0
        let percentage = isFull ? 100_000 : Int64.random(in: 1...99, using: &random) * 1_000
        let revocation = Purchase.Revocation(date: time - 1_500, percentage: percentage)
        if var charge = charges.popLast() {
            charge.revocation = revocation
            return notification("REFUND", nil, charge, withRenewalInfo: false, at: time)
        }
        var period = line.period
        period.revocation = revocation
        subscription?.period = period
        subscription?.renews = false
        return notification("REFUND", nil, period, withRenewalInfo: true, at: time)
    }

    private mutating func buy(
        _ product: Product,
        reason: String,
        continuing earlier: Purchase?,
        at time: Int64
    ) -> Purchase {
        transactionCount += 1
        precondition(transactionCount < Self.transactionsMax, "transactions are numbered with six digits")
        let identifier = String(identifierBase + transactionCount)
        let purchaseDate = (time - 2_000) / 1_000 * 1_000
        let isCoins = product.type == "Consumable"
        return Purchase(
            transactionID: identifier,
            originalTransactionID: earlier?.originalTransactionID ?? identifier,
            webOrderLineItemID: product.periodDays == nil ? nil : String(identifierBase + transactionCount + 1_000_000),
            product: product,
            purchaseDate: purchaseDate,
            originalPurchaseDate: earlier?.originalPurchaseDate ?? purchaseDate,
            quantity: isCoins ? Int64.random(in: 1...3, using: &random) : 1,
            reason: reason
        )
    }

    // MARK: How it is told

    private mutating func notification(
        _ type: String,
        _ subtype: String?,
        _ purchase: Purchase,
        withRenewalInfo: Bool,
        at time: Int64
    ) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 2_048)
        writer.beginObject()
        writer.member("notificationType", type)
        if let subtype { writer.member("subtype", subtype) }
        writer.member("notificationUUID", random.nextUUID())
        writer.name("data")
        writer.beginObject()
        writer.member("appAppleId", Self.appAppleID)
        writer.member("bundleId", Self.bundleID)
        writer.member("bundleVersion", "241")
        writer.member("environment", "Production")
        writer.name("transactionInfo")
        purchase.write(to: &writer, of: self, signedAt: time)
        if withRenewalInfo, let subscription {
            writer.name("renewalInfo")
            write(subscription, to: &writer, signedAt: time)
            writer.member("status", status(of: subscription, at: time))
        }
        writer.endObject()
        writer.member("version", "2.0")
        writer.member("signedDate", time)
        writer.endObject()
        return writer.bytes
    }

    private func write(_ line: Subscription, to writer: inout JSONWriter, signedAt: Int64) {
        let period = line.period
        writer.beginObject()
        writer.member("originalTransactionId", period.originalTransactionID)
        writer.member("autoRenewProductId", period.product.productID)
        writer.member("productId", period.product.productID)
        writer.member("autoRenewStatus", line.renews ? 1 : 0)
        if line.renews {
            writer.member("renewalPrice", period.product.price * storefront.factor)
            writer.member("currency", storefront.currency)
        }
        writer.member("signedDate", signedAt)
        writer.member("environment", "Production")
        writer.member("recentSubscriptionStartDate", line.startedAt)
        writer.member("renewalDate", period.expiresDate)
        if let appAccountToken { writer.member("appAccountToken", appAccountToken) }
        writer.member("appTransactionId", appTransactionID)
        writer.endObject()
    }

    /// Apple's number: 1 active, 2 expired, 5 revoked.
    private func status(of line: Subscription, at time: Int64) -> Int {
        if line.period.revocation != nil { return 5 }
        return (line.period.expiresDate ?? 0) > time ? 1 : 2
    }
}
