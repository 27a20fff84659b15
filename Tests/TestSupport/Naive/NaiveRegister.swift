package import Foundation
package import LedgerCore

/// The register of one transaction a second time, without a walk.
///
/// It is a table of what each signing time says, then of each change, looked up backwards. It shares with the product
/// the decoded documents, and the share of units that the entitlements are made with; its arithmetic is decimal.
package struct NaiveRegister {
    /// One change.
    package struct Row: Hashable {
        package var signedAt: Instant
        package var kind: String
        /// Milliunits and currency; nil when it is unknown, or no money.
        package var amount: Decimal?
        package var currency: String?
        package var revocationClass: String?

        /// A change with these members.
        init(
            signedAt: Instant,
            kind: String,
            amount: Decimal? = nil,
            currency: String? = nil,
            revocationClass: String? = nil
        ) {
            self.signedAt = signedAt
            self.kind = kind
            self.amount = amount
            self.currency = currency
            self.revocationClass = revocationClass
        }

        /// An entry of the product in these terms, to be compared.
        package init(_ entry: RegisterEntry) {
            self.init(
                signedAt: entry.statement.signedAt,
                kind: entry.kind.rawValue,
                amount: entry.amount.map { Decimal($0.amount.rawValue) },
                currency: entry.amount?.currency.rawValue,
                revocationClass: entry.revocationClass?.rawValue
            )
        }
    }

    private enum Verdict: Hashable {
        case nothing
        /// Thousandths of a percent.
        case share(Int64)
        case money(Decimal)
        case lost
        case other(String)
    }

    private struct Line {
        var signedAt: Instant
        var verdict: Verdict
        var units: Int64?
        var total: Decimal?
    }

    private let lines: [Line]
    private let currency: String?
    /// The changes, in the order of their signing.
    package let rows: [Row]

    /// The register of renderings of one transaction, in any order.
    package init(_ renderings: [RegisterRendering]) {
        var best: [Instant: RegisterRendering] = [:]
        for rendering in renderings {
            guard let other = best[rendering.signedAt] else {
                best[rendering.signedAt] = rendering
                continue
            }
            let mine = (rendering.fact.revocationDate == nil ? 0 : 1, rendering.fact.rendering.digest)
            let theirs = (other.fact.revocationDate == nil ? 0 : 1, other.fact.rendering.digest)
            if mine > theirs { best[rendering.signedAt] = rendering }
        }
        let all = renderings.sorted { $1.fact.rendering.wins(over: $0.fact.rendering) }
        let priced = all.last { ($0.fact.price?.rawValue ?? -1) >= 0 && $0.fact.currency != nil }?.fact
        let currency = (priced?.currency ?? all.last { $0.fact.currency != nil }?.fact.currency)?.rawValue
        let price = priced?.price.map { Decimal($0.rawValue) }
        let table = best.keys.sorted().compactMap { best[$0] }.map { rendering in
            let verdict = Self.verdict(rendering)
            return Line(
                signedAt: rendering.signedAt,
                verdict: verdict,
                units: rendering.isRevoked ? rendering.fact.unitShareToTakeBack?.rawValue : nil,
                total: Self.total(verdict, price, currency)
            )
        }
        lines = table
        self.currency = currency
        rows = Self.rows(table, currency)
    }

    /// What is refunded now: nil when nobody knows.
    package var total: Decimal? { lines.last.map(\.total) ?? 0 }

    private static func verdict(_ rendering: RegisterRendering) -> Verdict {
        let fact = rendering.fact
        let listed = rendering.items.map { $0.count > 0 } ?? false
        if fact.revocationDate == nil && rendering.items == nil { return .nothing }
        let type = fact.revocationType?.rawValue
        let owner = fact.ownershipType?.rawValue
        if type == "FAMILY_REVOKE" || owner == "FAMILY_SHARED" { return .other("family") }
        if type == "ASSIGNMENT_REVOKE" || owner == "ASSIGNED" { return .other("assignment") }
        if owner != "PURCHASED" { return .other("notPurchased") }
        if listed { return rendering.items?.total.map { .money(Decimal($0.rawValue)) } ?? .lost }
        let saysRefund = type == "REFUND_FULL" || type == "REFUND_PRORATED"
        if fact.revocationDate == nil && !saysRefund { return .other("item") }
        if let share = fact.revocationPercentage?.rawValue { return (0...100_000) ~= share ? .share(share) : .lost }
        if type == "REFUND_FULL" { return .share(100_000) }
        if saysRefund { return .lost }
        if let reason = fact.revocationReason?.rawValue, reason != 0, reason != 1 { return .other("upgradeToBundle") }
        return type == nil ? .share(100_000) : .lost
    }

    private static func total(_ verdict: Verdict, _ price: Decimal?, _ currency: String?) -> Decimal? {
        switch verdict {
        case .nothing, .other: return 0
        case .lost: return nil
        case .money(let money): return currency == nil ? nil : money
        case .share(let share):
            guard let price else { return nil }
            var (exact, rounded) = (price * Decimal(share) / 100_000, Decimal())
            NSDecimalRound(&rounded, &exact, 0, .plain)
            return rounded
        }
    }

    private static func rows(_ lines: [Line], _ currency: String?) -> [Row] {
        var rows: [Row] = []
        for (index, line) in lines.enumerated() {
            let before = index > 0 ? lines[index - 1] : Line(signedAt: line.signedAt, verdict: .nothing, total: 0)
            let known = lines[..<index].last { $0.total != nil }?.total ?? 0
            let (old, new) = (money(before.verdict), money(line.verdict))
            if old != new || (new != nil && before.units != line.units) {
                let settles = new == nil && before.total == nil && known == 0
                let amount = settles || line.total == nil ? nil : line.total.map { $0 - known }
                rows.append(
                    Row(
                        signedAt: line.signedAt,
                        kind: isLess(line, than: before, known: known) ? "reversal" : "refund",
                        amount: amount,
                        currency: amount == nil ? nil : currency
                    )
                )
            }
            let (oldClass, newClass) = (other(before.verdict), other(line.verdict))
            if oldClass != newClass || (newClass != nil && before.units != line.units) {
                let kind = newClass == nil ? "reinstatement" : "revocation"
                rows.append(Row(signedAt: line.signedAt, kind: kind, revocationClass: newClass ?? oldClass))
            }
        }
        return rows
    }

    private static func money(_ verdict: Verdict) -> Verdict? {
        switch verdict {
        case .nothing, .other: nil
        case .share, .money, .lost: verdict
        }
    }

    private static func other(_ verdict: Verdict) -> String? {
        if case .other(let name) = verdict { name } else { nil }
    }

    private static func isLess(_ line: Line, than before: Line, known: Decimal) -> Bool {
        guard let new = money(line.verdict) else { return true }
        guard let old = money(before.verdict) else { return false }
        if case .share(let one) = old, case .share(let other) = new, one != other { return other < one }
        if let total = line.total, total != known { return total < known }
        return old == new && (line.units ?? 0) < (before.units ?? 0)
    }
}
