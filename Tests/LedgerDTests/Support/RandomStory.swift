import LedgerCore

/// Some customers and what happened to them within 200 days, as decoded notifications: purchases, renewals,
/// cancellations, refunds, reversals, consumables, tokens that change, a withdrawn consent.
struct RandomStory {
    static let start = Instant(milliseconds: 1_735_689_600_000)  // 2025-01-01

    /// In the order of their signing.
    private(set) var documents: [JSONValue] = []
    /// Keys to ask by, as they stand in a query.
    var keys: [String] = []

    init(_ random: inout some RandomNumberGenerator) {
        for customer in 1...3 { addCustomer(customer, &random) }
        documents.sort { ($0["signedDate"]?.integer ?? 0) < ($1["signedDate"]?.integer ?? 0) }
    }

    private mutating func addCustomer(_ number: Int, _ random: inout some RandomNumberGenerator) {
        let customer = "70499881234567010\(number)"
        let token = "11111111-aaaa-4bbb-8ccc-00000000000\(number)"
        keys += ["appTransactionId=\(customer)", "appAccountToken=\(token)", "originalTransactionId=5600\(number)0"]
        var begin = Self.start.adding(days: Int64.random(in: 0...20, using: &random))
        for period in 0..<Int.random(in: 1...4, using: &random) {
            // Documents signed before 2025 name no customer, and one in three carries no token.
            let transaction = Sample.subscription(
                "5600\(number)\(period)",
                line: "5600\(number)0",
                customer: Bool.random(using: &random) || period > 1 ? customer : nil,
                product: Bool.random(using: &random) ? "com.example.pro.monthly" : "com.example.pro.yearly",
                purchased: begin
            ).with(["appAccountToken": Int.random(in: 0...2, using: &random) == 0 ? nil : .string(token)])
            let signed = begin.adding(milliseconds: 2000)
            let autoRenews = Bool.random(using: &random)
            documents.append(
                Sample.notification(
                    transaction,
                    Sample.renewal(transaction, signed: signed, autoRenews: autoRenews),
                    type: period == 0 ? "SUBSCRIBED" : "DID_RENEW"
                )
            )
            addTrouble(to: transaction, from: begin, &random)
            begin = begin.adding(days: Int64.random(in: 25...45, using: &random))
        }
        let coins = Sample.transaction(
            "5700\(number)0",
            customer: customer,
            product: "com.example.coins.500",
            purchased: Self.start.adding(days: Int64.random(in: 0...90, using: &random))
        ).with(["type": "Consumable", "quantity": .integer(Int64.random(in: 1...5, using: &random))])
        documents.append(Sample.notification(coins))
        addTrouble(to: coins, from: Self.start.adding(days: 90), &random)
        if Bool.random(using: &random) {
            let signed = Self.start.adding(days: Int64.random(in: 30...150, using: &random))
            documents.append(
                JSONValue.null.with([
                    "notificationType": "RESCIND_CONSENT", "notificationUUID": .string(Sample.newUUID()),
                    "version": "2.0", "signedDate": .instant(signed),
                    "appData": [
                        "appAppleId": .integer(Sample.appAppleID), "bundleId": .string(Sample.bundleID),
                        "environment": "Production",
                        "appTransactionInfo": Sample.appTransaction(customer: customer, created: signed),
                    ],
                ])
            )
        }
    }

    /// Perhaps a refund, and perhaps its reversal.
    private mutating func addTrouble(
        to transaction: JSONValue,
        from begin: Instant,
        _ random: inout some RandomNumberGenerator
    ) {
        guard Bool.random(using: &random) else { return }
        let refunded = begin.adding(days: Int64.random(in: 1...28, using: &random))
        let isProrated = Bool.random(using: &random)
        documents.append(
            Sample.notification(
                transaction.refunded(
                    at: refunded,
                    type: isProrated ? "REFUND_PRORATED" : "REFUND_FULL",
                    percentage: isProrated ? Int64.random(in: 1...99_999, using: &random) : 100_000
                ),
                type: "REFUND"
            )
        )
        guard Bool.random(using: &random) else { return }
        let reversed = refunded.adding(days: Int64.random(in: 1...9, using: &random))
        documents.append(
            Sample.notification(transaction.with(["signedDate": .instant(reversed)]), type: "REFUND_REVERSED")
        )
    }
}
