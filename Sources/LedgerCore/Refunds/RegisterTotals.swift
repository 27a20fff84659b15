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

    private mutating func count(_ entry: RegisterEntry, _ times: Int) {
        switch entry.kind {
        case .refund:
            refunds += times
            if entry.statement.revocationReason?.known == .problemWithApp { refundsForAppProblems += times }
        case .reversal: reversals += times
        case .revocation:
            guard let revocationClass = entry.revocationClass else { return }
            revocations[revocationClass, default: 0] += times
            if revocations[revocationClass] == 0 { revocations[revocationClass] = nil }
        case .reinstatement: break
        }
        if entry.isOfUnknownAmount { unknownAmounts += times }
        if let amount = entry.amount { add(amount, entry.kind, times) }
    }

    private mutating func add(_ money: Money, _ kind: RegisterEntry.Kind, _ times: Int) {
        var total = currencies[money.currency] ?? CurrencyTotal(currency: money.currency)
        total.milliunits += Int128(times) * Int128(money.amount.rawValue)
        total.refunds += kind == .refund ? times : 0
        total.reversals += kind == .reversal ? times : 0
        let isNothing = total.milliunits == 0 && total.refunds == 0 && total.reversals == 0
        currencies[money.currency] = isNothing ? nil : total
    }
}
