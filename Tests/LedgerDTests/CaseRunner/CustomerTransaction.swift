import LedgerCore
import Testing

@testable import LedgerD

/// A transaction of the customer that a question is about, as `GET /v1/transactions` lists it.
struct CustomerTransaction: Sendable {
    let item: JSONValue

    /// All of them, the oldest purchase first.
    static func all(of question: FieldCase.Question, _ client: DaemonClient) throws -> [CustomerTransaction] {
        let answer = try client.get("/v1/transactions?\(question.query)&at=\(question.at.milliseconds)&limit=500")
        #expect(answer.status == 200 && answer["next"]?.isNull == true, "\(question.query): \(answer.text)")
        return answer["items"]?.items.map(CustomerTransaction.init) ?? []
    }

    var id: String { item["transactionId"]?.text ?? "" }
    /// What is one payment, on however many devices it was seen.
    var payment: String { item["webOrderLineItemId"]?.text ?? id }
    var isConsumable: Bool { item["type"]?.text == "Consumable" }
    var isPurchased: Bool { item["inAppOwnershipType"]?.text == "PURCHASED" }
    var quantity: Int64 { item["quantity"]?.integer ?? 1 }
    /// The revocation in force, or null.
    var revocation: JSONValue { item["revocation"] ?? .null }
    /// What was given back, or null.
    var refunded: JSONValue { item["refunded"] ?? .null }
    /// What was paid, or null.
    var price: JSONValue {
        guard let price = item["price"], let currency = item["currency"] else { return .null }
        return ["currency": currency, "milliunits": price]
    }
}

extension [CustomerTransaction] {
    /// The sums of amounts by currency, in the order of the currencies.
    static func sums(_ amounts: [JSONValue]) -> [JSONValue] {
        var sums: [String: Int64] = [:]
        for amount in amounts where !amount.isNull {
            sums[amount["currency"]?.text ?? "", default: 0] += amount["milliunits"]?.integer ?? 0
        }
        return sums.sorted { $0.key < $1.key }.map { ["currency": .string($0.key), "milliunits": .integer($0.value)] }
    }

    /// What is refunded in net terms.
    var refundedAmounts: [JSONValue] { Self.sums(map(\.refunded)) }

    /// What was charged, each payment once.
    var grossAmounts: [JSONValue] {
        var payments: Set<String> = []
        return Self.sums(filter { $0.isPurchased && payments.insert($0.payment).inserted }.map(\.price))
    }
}
