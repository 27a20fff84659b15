package import LedgerCore

/// A random history of a few customers in both environments: renderings with ties, revocations, reversals, upgrades,
/// tokens that come and go, notifications with and without facts.
///
/// Identifiers and times come from small sets, so that documents meet each other. The same seed gives the same story.
package struct Story: Sendable {
    /// One signed document before it is signed.
    package struct Document: Hashable, Sendable {
        package var kind: DocumentKind
        package var environment: StoreEnvironment
        package var payload: Payload
    }

    /// What arrives together.
    package enum Step: Hashable, Sendable {
        case document(Document)
        /// A notification with the documents inside it; its payload lacks their texts.
        case notification(Document, inner: [Document])
    }

    package private(set) var steps: [Step] = []
    private var random: SeededGenerator
    private let lineCount: Int

    /// Makes a story of so many steps, spread over so many lines in each environment.
    package init(seed: UInt64, count: Int, lines: Int = 3) {
        random = SeededGenerator(seed: seed)
        lineCount = lines
        for _ in 0..<count { steps.append(step()) }
    }

    private mutating func step() -> Step {
        let environment: StoreEnvironment = chance(4) ? .sandbox : .production
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<4: return .document(transaction(environment))
        case 4: return .document(renewalInfo(environment))
        case 5: return .document(appTransaction(environment))
        default: return notification(environment)
        }
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }

    private mutating func maybe(_ text: [String]) -> Payload.Value? { chance(2) ? nil : .text(pick(text)) }

    /// One of a dozen moments, so that renderings tie.
    private mutating func moment() -> Int64 {
        Payload.sampleSignedDate + 86_400_000 * Int64.random(in: 0..<12, using: &random)
    }

    package static let customers = ["704900000000000001", "704900000000000002", "704900000000000003"]
    package static let tokens = [
        "0aa7a1f0-6d4e-4bd5-9a53-000000000001", "0AA7A1F0-6D4E-4BD5-9A53-000000000002",
        "0aa7a1f0-6d4e-4bd5-9a53-000000000003",
    ]
    private static let types = [
        "Auto-Renewable Subscription", "Auto-Renewable Subscription", "Consumable", "Non-Consumable",
        "Non-Renewing Subscription", "Some-Future-Type",
    ]

    private mutating func transaction(_ environment: StoreEnvironment) -> Document {
        let line = Int.random(in: 0..<lineCount, using: &random)
        let purchased = moment()
        var payload = Payload.transaction(
            "10\(line)\(Int.random(in: 0..<3, using: &random))",
            line: "10\(line)0",
            [
                "environment": .text(environment.rawValue), "signedDate": .integer(moment()),
                "purchaseDate": chance(12) ? nil : .integer(purchased),
                "expiresDate": .integer(purchased + 86_400_000 * Int64.random(in: 1..<9, using: &random)),
                "type": .text(Self.types[line % Self.types.count]), "appTransactionId": maybe(Self.customers),
                "appAccountToken": maybe(Self.tokens), "isUpgraded": chance(6) ? true : nil,
                "transactionReason": .text(pick(["PURCHASE", "RENEWAL"])),
                "inAppOwnershipType": .text(pick(["PURCHASED", "PURCHASED", "FAMILY_SHARED", "LEASED"])),
                "productId": .text(pick(["com.example.pro.monthly", "com.example.basic.monthly"])),
                "quantity": .integer(Int64.random(in: 1..<4, using: &random)),
                "webOrderLineItemId": maybe(["550000000000001", "550000000000002"]),
                "subscriptionGroupIdentifier": maybe(["21500001"]),
            ]
        )
        if chance(3) { revoke(&payload) }
        return Document(kind: .transaction, environment: environment, payload: payload)
    }

    private mutating func revoke(_ payload: inout Payload) {
        payload["revocationDate"] = .integer(moment())
        payload["revocationReason"] = chance(3) ? nil : .integer(Int64.random(in: 0..<3, using: &random))
        payload["revocationType"] = maybe([
            "REFUND_FULL", "REFUND_PRORATED", "FAMILY_REVOKE", "ASSIGNMENT_REVOKE", "SOMETHING_NEW",
        ])
        payload["revocationPercentage"] = chance(2) ? nil : .integer(pick([0, 33_333, 60_000, 100_000, 250_000]))
    }

    private mutating func renewalInfo(_ environment: StoreEnvironment) -> Document {
        let isInRetry = chance(3)
        let payload = Payload.renewalInfo(
            line: "10\(Int.random(in: 0..<lineCount, using: &random))0",
            [
                "environment": .text(environment.rawValue), "signedDate": .integer(moment()),
                "autoRenewStatus": .integer(Int64.random(in: 0..<3, using: &random)),
                "appTransactionId": maybe(Self.customers), "appAccountToken": maybe(Self.tokens),
                "isInBillingRetryPeriod": isInRetry ? true : nil, "expirationIntent": isInRetry ? 2 : nil,
                "gracePeriodExpiresDate": isInRetry && chance(2) ? .integer(moment()) : nil,
                "priceIncreaseStatus": chance(5) ? 0 : nil,
                "renewalDate": chance(3) ? nil : .integer(moment() + 86_400_000 * 3),
            ]
        )
        return Document(kind: .renewalInfo, environment: environment, payload: payload)
    }

    private mutating func appTransaction(_ environment: StoreEnvironment) -> Document {
        let payload = Payload.appTransaction(
            pick(Self.customers),
            [
                "receiptType": .text(environment.rawValue), "receiptCreationDate": .integer(moment()),
                "originalPurchaseDate": .integer(moment()), "originalApplicationVersion": maybe(["1.0", "2.0 β"]),
                "originalPlatform": maybe(["iOS", "someOS"]), "preorderDate": chance(4) ? .integer(moment()) : nil,
            ]
        )
        return Document(kind: .appTransaction, environment: environment, payload: payload)
    }

    private mutating func notification(_ environment: StoreEnvironment) -> Step {
        let withdrawsConsent = chance(4)
        var inner: [Document] = []
        if withdrawsConsent {
            inner = [appTransaction(environment)]
        } else if !chance(6) {
            inner = chance(2) ? [transaction(environment)] : [transaction(environment), renewalInfo(environment)]
        }
        let digits = String(UInt64.random(in: 0..<(1 << 48), using: &random), radix: 16)
        let payload = Payload.notification(
            "9782c9c7-7e86-5239-bb46-" + String(repeating: "0", count: 12 - digits.count) + digits,
            part: withdrawsConsent ? "appData" : "data",
            [
                "environment": .text(environment.rawValue),
                "status": withdrawsConsent || chance(3) ? nil : .integer(Int64.random(in: 1..<7, using: &random)),
            ],
            [
                "signedDate": .integer(moment()),
                "notificationType": .text(
                    withdrawsConsent ? "RESCIND_CONSENT" : pick(["REFUND", "DID_RENEW", "A_NEW_TYPE"])
                ),
            ]
        )
        return .notification(
            Document(kind: .notification, environment: environment, payload: payload),
            inner: inner
        )
    }
}
