import EventStore
import LedgerCore
import Testing

@testable import LedgerD

/// Compares what a case expects with what the daemon answered and what lies in the log.
struct CaseExpectation {
    let question: FieldCase.Question
    /// The entitlement set.
    let set: JSONValue
    let log: LedgerState
    let results: [CaseRunner.StepResult]
    let transactions: [CustomerTransaction]
    let registers: CaseRegisters
    /// What the failure of an expectation is told with.
    let place: String

    private typealias Check = @Sendable (CaseExpectation, JSONValue) -> Void

    /// Fields that are checked.
    static var checked: Set<String> { Set(checks.keys) }

    /// Checks every field; one that is unknown is a failure.
    func check() {
        guard case .object(let expected) = question.expect else { return }
        for (name, value) in expected.members {
            guard let check = Self.checks[name] else {
                Issue.record("\(place): the field \(name) is not known")
                continue
            }
            check(self, value)
        }
    }

    private func expect(_ found: JSONValue?, _ wanted: JSONValue, _ name: String) {
        #expect((found ?? .null) == wanted, "\(place), \(name): \(String(decoding: set.bytes, as: UTF8.self))")
    }

    private static let checks: [String: Check] = {
        var checks: [String: Check] = [
            "entitledProducts": { $0.checkProducts($1) },
            "subscriptions": { $0.checkSubscriptions($1) },
            "clawback": { $0.checkClawback($1) },
            "consentRescinded": { $0.expect($0.set["consentRescinded"], $1, "consentRescinded") },
            "accepted": { $0.expect(.boolean($0.results.allSatisfy(\.isAccepted)), $1, "accepted") },
            "rejected": { $0.expect(.boolean($0.refused != nil), $1, "rejected") },
            "retryable": { $0.expect($0.refused.map { .boolean($0.isRetryable) }, $1, "retryable") },
            "reason": { $0.expect($0.refused?.code.map { .string($0.inSnakeCase) }, $1, "reason") },
            "stepResults": { $0.checkSteps($1) },
            "ledgerUnchanged": { $0.expect(.boolean($0.refused?.added == 0), $1, "ledgerUnchanged") },
            "productionLedgerUnchanged": {
                let isUnchanged = $0.log.events.allSatisfy { $0.event.environment != .production }
                $0.expect(.boolean(isUnchanged), $1, "productionLedgerUnchanged")
            },
            "distinctNotifications": {
                $0.expect(.count($0.log.events(of: .notification)), $1, "distinctNotifications")
            },
            "distinctTransactions": { $0.expect(.count($0.transactions), $1, "distinctTransactions") },
            "distinctPurchases": {
                $0.expect(.count(Set($0.transactions.map(\.payment))), $1, "distinctPurchases")
            },
            "rawNotificationTypes": {
                let types = $0.log.events(of: .notification).map { JSONValue.string($0.notificationType ?? "") }
                $0.expect(.array(types), $1, "rawNotificationTypes")
            },
            "refundedTransactions": {
                let refunded = $0.transactions.filter { !$0.refunded.isNull }.map(\.id)
                #expect(Set(refunded) == Set($1.items.compactMap(\.text)), "\($0.place), refundedTransactions")
            },
            "refundedAmount": { $0.checkAmounts($0.transactions.refundedAmounts, $1, "refundedAmount") },
            "refundedAmounts": { $0.checkAmounts($0.transactions.refundedAmounts, $1, "refundedAmounts") },
            "refundedAmountUnits": {
                let units = $0.transactions.refundedAmounts.first?["milliunits"]?.integer.map { "\($0 / 1000)" }
                $0.expect(units.map(JSONValue.string), $1, "refundedAmountUnits")
            },
            "grossAmount": { $0.checkAmounts($0.transactions.grossAmounts, $1, "grossAmount") },
            "grossAmounts": { $0.checkAmounts($0.transactions.grossAmounts, $1, "grossAmounts") },
            // The question waited at most 20 seconds for the projection.
            "caughtUpWithinSeconds": { #expect(($1.integer ?? 0) >= 20, "\($0.place)") },
        ]
        // Amounts are asked for twice: of the list of transactions and of the registers.
        for (name, check) in CaseRegisters.checks {
            let ofTransactions = checks[name]
            checks[name] = {
                ofTransactions?($0, $1)
                check($0.registers, $1, Comment(rawValue: "\($0.place), \(name)"))
            }
        }
        for name in ["status", "expiresDate", "autoRenewStatus", "autoRenewProductId", "gracePeriodExpiresDate"] {
            checks[name] = { $0.checkSubscription(name, $1) }
        }
        for name in ["revocationType", "revocationReason", "revocationDate", "revocationPercentage"] {
            checks[name] = { $0.checkRevocation(name, $1) }
        }
        return checks
    }()

    /// The step that was refused.
    private var refused: CaseRunner.StepResult? { results.first { !$0.isAccepted } }
}

extension CaseExpectation {
    private func checkProducts(_ wanted: JSONValue) {
        let products = Set(set["entitlements"]?.items.compactMap { $0["productId"]?.text } ?? [])
        #expect(products == Set(wanted.items.compactMap(\.text)), "\(place), entitledProducts: \(set.bytes.asText)")
    }

    private func checkSubscriptions(_ wanted: JSONValue) {
        let found = set["subscriptions"]?.items.map { subscription -> JSONValue in
            JSONValue.null.with([
                "originalTransactionId": subscription["originalTransactionId"], "status": subscription["status"],
            ])
        }
        expect(found.map(JSONValue.array), wanted, "subscriptions")
    }

    /// A member of the one subscription that the question is about.
    private func checkSubscription(_ name: String, _ wanted: JSONValue) {
        guard let subscriptions = set["subscriptions"]?.items, subscriptions.count == 1 else {
            Issue.record("\(place), \(name): the answer has not one subscription: \(set.bytes.asText)")
            return
        }
        expect(Self.inMilliseconds(subscriptions[0][name], name), wanted, name)
    }

    /// The revocation in force on the newest period of a subscription; of other products the facts tell it.
    private func checkRevocation(_ name: String, _ wanted: JSONValue) {
        if let subscription = set["subscriptions"]?[0] {
            let revocation = subscription["revocation"]
            return expect(Self.inMilliseconds(revocation?[name], name), wanted, name)
        }
        expect(Self.inMilliseconds(transactions.last?.revocation[name], name), wanted, name)
    }

    /// Sums by currency; nothing and zero are equivalent.
    private func checkAmounts(_ found: [JSONValue], _ wanted: JSONValue, _ name: String) {
        let wanted = wanted.isNull ? [] : wanted.items.isEmpty ? [wanted] : wanted.items
        func sums(_ amounts: [JSONValue]) -> Set<JSONValue> {
            Set([CustomerTransaction].sums(amounts).filter { $0["milliunits"]?.integer != 0 })
        }
        #expect(sums(found) == sums(wanted), "\(place), \(name)")
    }

    /// Times are RFC 3339 in answers and milliseconds in the cases.
    private static func inMilliseconds(_ value: JSONValue?, _ name: String) -> JSONValue? {
        guard name.hasSuffix("Date"), let text = value?.text else { return value }
        return Instant(rfc3339: text).map(JSONValue.instant)
    }

    /// What is taken back of consumables: by transaction in the list, and in the balances altogether.
    private func checkClawback(_ wanted: JSONValue) {
        let revoked = transactions.filter { $0.isConsumable && !$0.revocation.isNull }
        let found = revoked.map { transaction -> JSONValue in
            [
                "transactionId": .string(transaction.id),
                "percentage": transaction.revocation["revocationPercentage"] ?? .null,
                "quantity": .integer(transaction.quantity),
            ]
        }
        expect(.array(found), wanted, "clawback")
        let units = wanted.items.map { ($0["quantity"]?.integer ?? 0) * ($0["percentage"]?.integer ?? 0) / 100_000 }
        let taken = set["balances"]?.items.compactMap { $0["clawedBack"]?.integer } ?? []
        #expect(taken.reduce(0, +) == units.reduce(0, +), "\(place), clawback: \(set.bytes.asText)")
    }

    private func checkSteps(_ wanted: JSONValue) {
        #expect(wanted.items.count == results.count, "\(place), stepResults")
        for (result, step) in zip(results, wanted.items) {
            #expect(result.isAccepted == (step["accepted"]?.boolean ?? false), "\(place), stepResults")
            if let reason = step["reason"]?.text {
                #expect(result.code?.inSnakeCase == reason, "\(place), stepResults")
            }
        }
    }
}

extension JSONValue {
    fileprivate static func count(_ elements: some Collection) -> JSONValue { .integer(Int64(elements.count)) }
}

extension [UInt8] {
    fileprivate var asText: String { String(decoding: self, as: UTF8.self) }
}

extension String {
    /// `chainLength` as the cases write it: `chain_length`.
    fileprivate var inSnakeCase: String {
        reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
}
