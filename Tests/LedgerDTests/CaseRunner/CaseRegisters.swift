import LedgerCore
import TestSupport
import Testing

/// What the registers of a running daemon say about the customer of a case's question.
struct CaseRegisters: Sendable {
    private let refunds: JSONValue
    private let purchases: JSONValue

    init(_ question: FieldCase.Question, _ client: DaemonClient, after position: Int) throws {
        let query = "\(question.query)&at=\(question.at.milliseconds)&minPosition=\(position)&waitMs=20000"
        func ask(_ register: String) throws -> JSONValue {
            let answer = try client.get("/v1/registers/\(register)?\(query)&limit=10000")
            #expect(answer.status == 200, "\(register): \(answer.text)")
            return answer.json
        }
        refunds = try ask("refunds")
        purchases = try ask("purchases")
    }

    /// How each field of a case is compared.
    static let checks: [String: @Sendable (CaseRegisters, JSONValue, Comment) -> Void] = [
        // One transaction with one revocationDate is one refund.
        "refundCount": { registers, wanted, place in
            let facts = registers.entries("refund").map {
                [$0["transactionId"], $0["revocationDate"] ?? $0["signedDate"]]
            }
            #expect(.integer(Int64(Set(facts).count)) == wanted, place)
        },
        "reversalCount": { #expect(.integer(Int64($0.entries("reversal").count)) == $1, $2) },
        "refundedTransactions": { registers, wanted, place in
            #expect(Set(registers.entries("refund").compactMap { $0["transactionId"] }) == Set(wanted.items), place)
        },
        "refundedAmount": { #expect(sums($0.refunds) == amounts($1), $2) },
        "refundedAmounts": { #expect(sums($0.refunds) == amounts($1), $2) },
        "refundedAmountUnits": { registers, wanted, place in
            #expect(sums(registers.refunds).values.map { .string("\($0 / 1000)") } == [wanted], place)
        },
        "grossAmount": { #expect(sums($0.purchases) == amounts($1), $2) },
        "grossAmounts": { #expect(sums($0.purchases) == amounts($1), $2) },
        "sideEffects": { #expect($1["refund"] == .integer(Int64($0.entries("refund").count)), $2) },
    ]

    private func entries(_ kind: String) -> [JSONValue] {
        refunds["items"]?.items.filter { $0["entry"]?.text == kind } ?? []
    }

    /// The totals of a register by currency; nothing and zero are equivalent.
    private static func sums(_ register: JSONValue) -> [String: Int64] {
        amounts(register["totals"]?["byCurrency"] ?? .null)
    }

    /// Amounts as a case writes them: one, several, or null.
    private static func amounts(_ wanted: JSONValue) -> [String: Int64] {
        var sums: [String: Int64] = [:]
        for money in wanted.items.isEmpty ? [wanted] : wanted.items {
            guard let currency = money["currency"]?.text, let milliunits = money["milliunits"]?.integer else {
                continue
            }
            sums[currency, default: 0] += milliunits
        }
        return sums.filter { $0.value != 0 }
    }
}
