/// The gross sums of payments, before any refund (`totals` of the register of purchases, API.md "Finance").
package struct PurchaseTotals: Hashable, Sendable {
    /// One currency's sum.
    package struct CurrencyTotal: Hashable, Sendable {
        /// The currency.
        package var currency: CurrencyCode
        /// In 128 bits, which no number of 64-bit amounts can leave.
        package var milliunits: Int128 = 0
        /// How many purchases state a price in it.
        package var purchases = 0
    }

    /// How many payments, of known and unknown price.
    package private(set) var purchases = 0
    /// How many of them state no price from 0 up with its currency: they are in no sum.
    package private(set) var unknownAmounts = 0
    private var currencies: [CurrencyCode: CurrencyTotal] = [:]

    /// The totals of nothing.
    package init() {}

    /// The totals of payments.
    package init(_ purchases: some Sequence<TransactionFact>) { for purchase in purchases { add(purchase) } }

    /// The sums, in the order of the currencies' codes.
    package var byCurrency: [CurrencyTotal] { currencies.values.sorted { $0.currency < $1.currency } }

    /// Takes a payment in.
    package mutating func add(_ purchase: TransactionFact) {
        purchases += 1
        guard let price = purchase.statedPrice else {
            unknownAmounts += 1
            return
        }
        var total = currencies[price.currency] ?? CurrencyTotal(currency: price.currency)
        total.milliunits += Int128(price.amount.rawValue)
        total.purchases += 1
        currencies[price.currency] = total
    }

    /// Writes `{"byCurrency":[…],"purchases":n,"unknownAmounts":n}`.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.name("byCurrency")
        json.beginArray()
        for total in byCurrency {
            json.beginObject()
            json.member("currency", total.currency.rawValue)
            json.member("milliunits", total.milliunits)
            json.member("purchases", total.purchases)
            json.endObject()
        }
        json.endArray()
        json.member("purchases", purchases)
        json.member("unknownAmounts", unknownAmounts)
        json.endObject()
    }
}
