/// The transaction that an entry is about, by what is known of it as a whole.
///
/// These are properties of the purchase, so they come from the winning rendering and not from the one that tells the
/// revocation. Only the price may come from an older one: not every rendering states it, and a refund that is signed
/// without it is no refund of an unknown amount while another rendering tells the price.
package struct RegisterSubject: Hashable, Sendable {
    /// The transaction.
    package var transactionID: TransactionID
    /// Its line.
    package var originalTransactionID: OriginalTransactionID
    /// The customer; absent in documents signed before 2025.
    package var appTransactionID: AppTransactionID?
    /// The developer's account link.
    package var appAccountToken: AppAccountToken?
    /// The payment, for subscriptions.
    package var webOrderLineItemID: WebOrderLineItemID?
    /// The app.
    package var bundleID: BundleID?
    /// The product.
    package var productID: ProductID?
    /// What kind of product it is.
    package var type: Open<ProductType>?
    /// How many pieces were bought; nil counts as one.
    package var quantity: Int64?
    /// The country of the purchase, ISO 3166-1 alpha-3.
    package var storefront: String?
    /// When the account was charged.
    package var purchaseDate: Instant?
    /// When the period ends, for subscriptions.
    package var expiresDate: Instant?
    /// Whether an upgrade replaced it.
    package var isUpgraded: Bool
    /// The total for the quantity, by the rendering signed last that states one from 0 up with its currency.
    package var price: Money?
    /// The currency of the price; without a price the one that was signed last.
    package var currency: CurrencyCode?

    /// The subject of renderings of one transaction, in the order of their signing; nil for none.
    package init?(_ renderings: [RegisterRendering]) {
        guard let winner = renderings.last else { return nil }
        let fact = winner.fact
        transactionID = fact.transactionID
        originalTransactionID = fact.originalTransactionID
        appTransactionID = fact.appTransactionID
        appAccountToken = fact.appAccountToken
        webOrderLineItemID = fact.webOrderLineItemID
        bundleID = fact.bundleID
        productID = fact.productID
        type = fact.type
        quantity = fact.quantity
        storefront = winner.storefront
        purchaseDate = fact.purchaseDate
        expiresDate = fact.expiresDate
        isUpgraded = fact.isUpgraded
        price = renderings.reversed().lazy.compactMap(\.fact.statedPrice).first
        currency = price?.currency ?? renderings.reversed().lazy.compactMap(\.fact.currency).first
    }
}

extension TransactionFact {
    /// The price as an amount that sums can use: from 0 up, and with its currency; else nil.
    package var statedPrice: Money? {
        guard let price, let currency, price.rawValue >= 0 else { return nil }
        return Money(amount: price, currency: currency)
    }
}
