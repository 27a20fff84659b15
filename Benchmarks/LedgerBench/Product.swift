/// What the invented app sells: the products of the development cases and two more periods.
struct Product: Hashable, Sendable {
    let productID: String
    let type: String
    /// Days of one subscription period; nil for what is bought once.
    let periodDays: Int64?
    /// In milliunits of US dollars.
    let price: Int64

    static let subscriptions = [
        Product(
            productID: "com.example.pro.monthly",
            type: "Auto-Renewable Subscription",
            periodDays: 30,
            price: 9_990
        ),
        Product(
            productID: "com.example.pro.yearly",
            type: "Auto-Renewable Subscription",
            periodDays: 365,
            price: 79_990
        ),
        Product(
            productID: "com.example.pro.weekly",
            type: "Auto-Renewable Subscription",
            periodDays: 7,
            price: 2_990
        ),
    ]

    static let charges = [
        Product(productID: "com.example.coins.500", type: "Consumable", periodDays: nil, price: 4_990),
        Product(productID: "com.example.lifetime", type: "Non-Consumable", periodDays: nil, price: 149_990),
        Product(
            productID: "com.example.season",
            type: "Non-Renewing Subscription",
            periodDays: nil,
            price: 19_990
        ),
    ]
}

/// Where a customer buys, and how many milliunits of the currency stand for one of a dollar.
struct Storefront: Hashable, Sendable {
    let country: String
    let identifier: String
    let currency: String
    let factor: Int64

    static let all = [
        Storefront(country: "USA", identifier: "143441", currency: "USD", factor: 1),
        Storefront(country: "DEU", identifier: "143443", currency: "EUR", factor: 1),
        Storefront(country: "GBR", identifier: "143444", currency: "GBP", factor: 1),
        Storefront(country: "JPN", identifier: "143462", currency: "JPY", factor: 150),
    ]
}
