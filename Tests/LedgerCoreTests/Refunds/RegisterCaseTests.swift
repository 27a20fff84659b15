import Foundation
import TestSupport
import Testing

@testable import LedgerCore

/// The cases from the field without a daemon: the documents of their steps give registers, and every field about money,
/// counts and units is compared.
@Suite("Registers: cases from the field", .enabled(if: SharedFiles.arePresentOrRequired, SharedFiles.comment))
struct RegisterCaseTests {
    static let names: [String] = {
        let folder = SharedFiles.root.appending(path: "cases/dev").path
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // One name that cannot be read, so that a missing folder fails and does not leave the test empty.
        return files.isEmpty ? ["missing"] : files.filter { $0.hasSuffix(".json") }.sorted()
    }()

    @Test(arguments: names)
    func `registers answer as the case expects, in each of its orders`(_ name: String) throws {
        let file = try JSONReader.value(of: try SharedFiles.bytes("cases/dev/\(name)"))
        let steps = try #require(file.members?["given"]?.elements)
        let orders = file.members?["orders"]?.elements?.map { $0.elements?.compactMap(\.number).map(Int.init) ?? [] }
        for order in orders ?? [Array(steps.indices)] {
            let ledger = RegisterCaseLedger(order.map { steps[$0] })
            for question in [file] + (file.members?["also"]?.elements ?? []) {
                let asked = try #require(question.members?["query"]?.members)
                let expected = try #require(question.members?["expect"]?.members)
                let answer = try RegisterCaseAnswer(ledger, asked)
                for (field, wanted) in expected { answer.check(field, wanted, "\(name), order \(order)") }
            }
        }
    }

    @Test func `every field about registers occurs in the cases and is checked`() throws {
        var met: Set<String> = []
        for name in Self.names {
            let file = try JSONReader.value(of: try SharedFiles.bytes("cases/dev/\(name)"))
            met.formUnion(file.members?["expect"]?.members?.keys.map { $0 } ?? [])
        }
        #expect(met.isSuperset(of: RegisterCaseAnswer.fields), "\(RegisterCaseAnswer.fields.subtracting(met))")
    }
}

/// What a register answers to the question of a case.
private struct RegisterCaseAnswer {
    static let fields: Set<String> = [
        "refundCount", "reversalCount", "refundedTransactions", "refundedAmount", "refundedAmounts",
        "refundedAmountUnits", "grossAmount", "grossAmounts", "clawback", "sideEffects", "distinctPurchases",
    ]

    let registers: [TransactionRegister]
    let entries: [RegisterEntry]

    /// The customer's transactions by what was signed until the instant of the question.
    init(_ ledger: RegisterCaseLedger, _ asked: [String: JSONValue]) throws {
        let key = try #require(CustomerKey(name: asked["key"]?.text ?? "", value: asked["value"]?.text ?? ""))
        let at = Instant(milliseconds: try #require(asked["at"]?.number))
        let environment = StoreEnvironment(rawValue: asked["environment"]?.text ?? "Production")
        let known = ledger.events.filter { $0.environment == environment && ($0.signedAt.map { $0 <= at } ?? false) }
        var facts = FactSet()
        for event in known { facts.fold(event) }
        let lines = facts.customer(key, in: try #require(environment)).lines
        let mine = Set(lines.flatMap(\.transactions).map(\.transactionID))
        let renderings = Dictionary(grouping: known.compactMap(RegisterRendering.init), by: \.fact.transactionID)
        registers = renderings.filter { mine.contains($0.key) }.sorted { $0.key < $1.key }.map {
            TransactionRegister($0.value)
        }
        entries = registers.flatMap(\.entries)
    }

    func check(_ field: String, _ wanted: JSONValue, _ place: String) {
        let place: Comment = "\(place), \(field)"
        let refunds = entries.filter { $0.kind == .refund }
        switch field {
        case "refundCount":
            // One transaction with one revocationDate is one refund.
            let facts = Set(refunds.map { [$0.subject.transactionID.rawValue, "\($0.happenedAt.milliseconds)"] })
            #expect(.integer(Int64(facts.count)) == wanted, place)
        case "reversalCount":
            #expect(.integer(Int64(entries.filter { $0.kind == .reversal }.count)) == wanted, place)
        case "refundedTransactions":
            let ids = Set(refunds.map { JSONValue.string($0.subject.transactionID.rawValue) })
            #expect(ids == Set(wanted.elements ?? []), place)
        case "refundedAmount", "refundedAmounts":
            #expect(entries.sums == Self.sums(wanted), place)
            #expect(RegisterTotals(entries).unknownAmounts == 0, place)
            #expect(Self.sums(registers.compactMap(\.refunded.money)) == Self.sums(wanted), place)
        case "refundedAmountUnits":
            let units = entries.sums.values.map { JSONValue.string("\($0 / 1000)") }
            #expect(units == [wanted], place)
        case "grossAmount", "grossAmounts":
            let gross = purchases.totals.byCurrency.map { ($0.currency, $0.milliunits) }
            #expect(Dictionary(gross) { $1 } == Self.sums(wanted), place)
            #expect(purchases.totals.unknownAmounts == 0, place)
        case "distinctPurchases": #expect(.integer(Int64(purchases.totals.purchases)) == wanted, place)
        case "clawback": #expect(clawback == Set(wanted.elements ?? []), place)
        case "sideEffects": #expect(wanted.members?["refund"] == .integer(Int64(refunds.count)), place)
        default: #expect(!Self.fields.contains(field), place)
        }
    }

    private var purchases: PurchaseRegister { PurchaseRegister(registers.compactMap { $0.renderings.last?.fact }) }

    /// The consumables of which units are taken back in the end.
    private var clawback: Set<JSONValue> {
        let rows = registers.flatMap { register in
            Clawback.rows(of: register.entries, catalog: { _ in .empty }, used: { _, _ in 0 })
        }
        let byTransaction = Dictionary(grouping: rows.filter { $0.units != nil }, by: \.entry.subject.transactionID)
        return Set(
            byTransaction.compactMap { id, rows in
                guard let last = rows.last, rows.compactMap(\.units?.toRecover).reduce(0, +) > 0 else { return nil }
                return .members([
                    "transactionId": .string(id.rawValue), "quantity": .integer(last.entry.subject.quantity ?? 1),
                    "percentage": last.percentage.map { .integer($0.rawValue) } ?? .null,
                ])
            }
        )
    }

    /// Amounts as a case writes them: one, several, or null; nothing and zero are equivalent.
    private static func sums(_ wanted: JSONValue) -> [CurrencyCode: Int128] {
        var sums: [CurrencyCode: Int128] = [:]
        for money in wanted.elements ?? [wanted] {
            guard let currency = money.members?["currency"]?.text, let milliunits = money.members?["milliunits"]?.number
            else { continue }
            sums[CurrencyCode(rawValue: currency), default: 0] += Int128(milliunits)
        }
        return sums.filter { $0.value != 0 }
    }

    private static func sums(_ amounts: [Money]) -> [CurrencyCode: Int128] {
        var sums: [CurrencyCode: Int128] = [:]
        for amount in amounts { sums[amount.currency, default: 0] += Int128(amount.amount.rawValue) }
        return sums.filter { $0.value != 0 }
    }
}
