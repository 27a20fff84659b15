/// The sums of a register: money per currency, and how many entries made it up (`totals`, API.md "Finance").
///
/// Entries can be taken out again, so the difference between two states of knowledge is a total too, and then counts
/// can be negative.
package struct RegisterTotals: Hashable, Sendable {
    /// One currency's sum.
    package struct CurrencyTotal: Hashable, Sendable {
        /// The currency.
        package var currency: CurrencyCode
        /// Refunds less reversals, in 128 bits, which no number of 64-bit amounts can leave.
        package var milliunits: Int128 = 0
        /// How many refunds have a known amount in this currency.
        package var refunds = 0
        /// How many reversals have a known amount in this currency.
        package var reversals = 0
    }

    /// Entries that are alike in all but their amounts, added up; with negative numbers they are taken out.
    package struct Group: Hashable, Sendable {
        /// What changed.
        package var kind: RegisterEntry.Kind
        /// Nil for refunds and reversals.
        package var revocationClass: RevocationClass?
        /// Of the known amounts; nil where there is none.
        package var currency: CurrencyCode?
        /// Whether they are refunds for a problem with the app.
        package var isForAppProblem: Bool
        /// How many entries.
        package var count: Int
        /// How many of them have a known amount.
        package var knownAmounts: Int
        /// The sum of the known amounts.
        package var milliunits: Int128

        /// A group that was added up elsewhere.
        package init(
            kind: RegisterEntry.Kind,
            revocationClass: RevocationClass?,
            currency: CurrencyCode?,
            isForAppProblem: Bool,
            count: Int,
            knownAmounts: Int,
            milliunits: Int128
        ) {
            self.kind = kind
            self.revocationClass = revocationClass
            self.currency = currency
            self.isForAppProblem = isForAppProblem
            self.count = count
            self.knownAmounts = knownAmounts
            self.milliunits = milliunits
        }
    }

    /// How many refunds, of known and unknown amount.
    package private(set) var refunds = 0
    /// How many reversals, of known and unknown amount.
    package private(set) var reversals = 0
    /// How many refunds and reversals nobody knows the amount of: they are in no sum.
    package private(set) var unknownAmounts = 0
    /// How many refunds were made because of a problem with the app (`revocationReason` 1), counted apart because the
    /// developer can do something about them.
    package private(set) var refundsForAppProblems = 0
    /// How many revocations without money, by class.
    package private(set) var revocations: [RevocationClass: Int] = [:]
    private var currencies: [CurrencyCode: CurrencyTotal] = [:]

    /// The totals of nothing.
    package init() {}

    /// The totals of entries.
    package init(_ entries: some Sequence<RegisterEntry>) { for entry in entries { add(entry) } }

    /// The sums, in the order of the currencies' codes.
    package var byCurrency: [CurrencyTotal] { currencies.values.sorted { $0.currency < $1.currency } }

    /// Takes an entry in.
    package mutating func add(_ entry: RegisterEntry) { count(entry, 1) }

    /// Takes an entry out that was taken in.
    package mutating func remove(_ entry: RegisterEntry) { count(entry, -1) }

    /// Takes entries in that were added up elsewhere.
    package mutating func add(_ group: Group) {
        switch group.kind {
        case .refund:
            refunds += group.count
            if group.isForAppProblem { refundsForAppProblems += group.count }
        case .reversal: reversals += group.count
        case .revocation:
            guard let revocationClass = group.revocationClass else { return }
            revocations[revocationClass, default: 0] += group.count
            if revocations[revocationClass] == 0 { revocations[revocationClass] = nil }
            return
        case .reinstatement: return
        }
        unknownAmounts += group.count - group.knownAmounts
        guard let currency = group.currency else { return }
        var total = currencies[currency] ?? CurrencyTotal(currency: currency)
        total.milliunits += group.milliunits
        total.refunds += group.kind == .refund ? group.knownAmounts : 0
        total.reversals += group.kind == .reversal ? group.knownAmounts : 0
        let isNothing = total.milliunits == 0 && total.refunds == 0 && total.reversals == 0
        currencies[currency] = isNothing ? nil : total
    }

    private mutating func count(_ entry: RegisterEntry, _ times: Int) { add(Group(entry, times)) }
}

extension RegisterTotals.Group {
    fileprivate init(_ entry: RegisterEntry, _ times: Int) {
        self.init(
            kind: entry.kind,
            revocationClass: entry.revocationClass,
            currency: entry.amount?.currency,
            isForAppProblem: entry.isForAppProblem,
            count: times,
            knownAmounts: entry.amount == nil ? 0 : times,
            milliunits: Int128(times) * Int128(entry.amount?.amount.rawValue ?? 0)
        )
    }
}
