import Foundation
import LedgerCore

/// Decoded documents of the tests' app, all of one shape; a test changes the members it is about.
enum Sample {
    static let bundleID = "com.example.app"
    static let appAppleID: Int64 = 1_234_567_890
    static let customer = "704998812345670101"

    /// A purchase of a subscription for 30 days, signed two seconds later.
    static func subscription(
        _ id: String,
        line: String? = nil,
        customer: String? = customer,
        product: String = "com.example.pro.monthly",
        purchased: Instant
    ) -> JSONValue {
        transaction(id, line: line, customer: customer, product: product, purchased: purchased).with([
            "type": "Auto-Renewable Subscription", "subscriptionGroupIdentifier": "21500001",
            "webOrderLineItemId": .string("55" + id.dropFirst(2)),
            "expiresDate": .instant(purchased.adding(days: 30)),
        ])
    }

    /// A purchase of a non-consumable, signed two seconds later.
    static func transaction(
        _ id: String,
        line: String? = nil,
        customer: String? = customer,
        product: String = "com.example.lifetime",
        purchased: Instant
    ) -> JSONValue {
        JSONValue.null.with([
            "transactionId": .string(id), "originalTransactionId": .string(line ?? id), "bundleId": .string(bundleID),
            "productId": .string(product), "purchaseDate": .instant(purchased),
            "originalPurchaseDate": .instant(purchased), "quantity": 1, "type": "Non-Consumable",
            "inAppOwnershipType": "PURCHASED", "signedDate": .instant(purchased.adding(milliseconds: 2000)),
            "environment": "Production", "transactionReason": "PURCHASE", "storefront": "USA",
            "storefrontId": "143441", "price": 9990, "currency": "USD",
            "appTransactionId": customer.map(JSONValue.string),
        ])
    }

    /// What the App Store says about the renewal of a subscription.
    static func renewal(_ transaction: JSONValue, signed: Instant, autoRenews: Bool = true) -> JSONValue {
        JSONValue.null.with([
            "originalTransactionId": transaction["originalTransactionId"],
            "autoRenewProductId": transaction["productId"], "productId": transaction["productId"],
            "autoRenewStatus": autoRenews ? 1 : 0, "signedDate": .instant(signed),
            "environment": transaction["environment"], "renewalDate": transaction["expiresDate"],
            "appTransactionId": transaction["appTransactionId"],
        ])
    }

    /// A notification with these documents, to be signed.
    static func notification(
        _ transaction: JSONValue? = nil,
        _ renewal: JSONValue? = nil,
        type: String = "ONE_TIME_CHARGE",
        subtype: String? = nil,
        id: String = newUUID(),
        signed: Instant? = nil,
        environment: String? = nil
    ) -> JSONValue {
        let signedAt = signed.map(JSONValue.instant) ?? transaction?["signedDate"] ?? .instant(.testNow)
        let data = JSONValue.null.with([
            "appAppleId": .integer(appAppleID), "bundleId": .string(bundleID),
            "environment": environment.map(JSONValue.string) ?? transaction?["environment"] ?? "Production",
            "transactionInfo": transaction, "renewalInfo": renewal,
        ])
        return JSONValue.null.with([
            "notificationType": .string(type), "subtype": subtype.map(JSONValue.string),
            "notificationUUID": .string(id), "version": "2.0", "signedDate": signedAt, "data": data,
        ])
    }

    /// A customer's app transaction.
    static func appTransaction(customer: String = customer, created: Instant) -> JSONValue {
        [
            "receiptType": "Production", "appAppleId": .integer(appAppleID), "bundleId": .string(bundleID),
            "applicationVersion": "241", "receiptCreationDate": .instant(created),
            "originalPurchaseDate": .instant(created), "originalApplicationVersion": "200",
            "appTransactionId": .string(customer), "originalPlatform": "iOS",
        ]
    }

    static func newUUID() -> String { UUID().uuidString.lowercased() }
}

extension JSONValue {
    /// The same document as refunded, signed at the moment of the refund.
    func refunded(at instant: Instant, type: String = "REFUND_FULL", percentage: Int64 = 100_000) -> JSONValue {
        with([
            "signedDate": .instant(instant), "revocationDate": .instant(instant), "revocationReason": 0,
            "revocationType": .string(type), "revocationPercentage": .integer(percentage),
        ])
    }
}
