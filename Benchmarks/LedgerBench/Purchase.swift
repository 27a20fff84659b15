internal import LedgerCore

/// A transaction of an invented customer, and how it stands in a document.
struct Purchase: Hashable, Sendable {
    let transactionID: String
    let originalTransactionID: String
    /// Only subscriptions have one.
    let webOrderLineItemID: String?
    let product: Product
    let purchaseDate: Int64
    let originalPurchaseDate: Int64
    let quantity: Int64
    let reason: String
    var revocation: Revocation?

    /// A refund; the share in thousandths of a percent.
    struct Revocation: Hashable, Sendable {
        let date: Int64
        let percentage: Int64
    }

    /// When a subscription's period ends, in milliseconds since 1970.
    var expiresDate: Int64? { product.periodDays.map { purchaseDate + $0 * 86_400_000 } }

    /// Writes the decoded transaction.
    func write(to writer: inout JSONWriter, of customer: CustomerHistory, signedAt: Int64) {
        writer.beginObject()
        writer.member("transactionId", transactionID)
        writer.member("originalTransactionId", originalTransactionID)
        if let webOrderLineItemID { writer.member("webOrderLineItemId", webOrderLineItemID) }
        writer.member("bundleId", CustomerHistory.bundleID)
        writer.member("productId", product.productID)
        if expiresDate != nil { writer.member("subscriptionGroupIdentifier", "21500001") }
        writer.member("purchaseDate", purchaseDate)
        writer.member("originalPurchaseDate", originalPurchaseDate)
        if let expiresDate { writer.member("expiresDate", expiresDate) }
        writer.member("quantity", quantity)
        writer.member("type", product.type)
        if let token = customer.appAccountToken { writer.member("appAccountToken", token) }
        writer.member("inAppOwnershipType", "PURCHASED")
        writer.member("signedDate", signedAt)
        writer.member("environment", "Production")
        writer.member("transactionReason", reason)
        writer.member("storefront", customer.storefront.country)
        writer.member("storefrontId", customer.storefront.identifier)
        writer.member("price", product.price * quantity * customer.storefront.factor)
        writer.member("currency", customer.storefront.currency)
        writer.member("appTransactionId", customer.appTransactionID)
        if let revocation {
            writer.member("revocationDate", revocation.date)
            writer.member("revocationReason", 0)
            writer.member("revocationType", revocation.percentage == 100_000 ? "REFUND_FULL" : "REFUND_PRORATED")
            writer.member("revocationPercentage", revocation.percentage)
        }
        writer.endObject()
    }
}
