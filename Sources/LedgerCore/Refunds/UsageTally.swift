/// What one customer has used, by unit: each report counts once.
package struct UsageTally: Hashable, Sendable {
    /// What became of a report.
    package enum Outcome: Hashable, Sendable {
        /// It is in the sum.
        case counted
        /// The same report came before.
        case duplicate
        /// Another report with this idempotency key came before; that one counts.
        case conflict
    }

    private var reports: [String: Usage] = [:]
    private var sums: [String: Int128] = [:]

    /// Nothing used.
    package init() {}

    /// Takes a report in, in the order of the log.
    package mutating func take(_ usage: Usage) -> Outcome {
        if let other = reports[usage.idempotencyKey] { return other == usage ? .duplicate : .conflict }
        reports[usage.idempotencyKey] = usage
        sums[usage.unit, default: 0] += Int128(usage.amount)
        return .counted
    }

    /// How many units were used; 0 for a unit that no report names.
    package func used(of unit: String) -> Int128 { sums[unit] ?? 0 }
}
