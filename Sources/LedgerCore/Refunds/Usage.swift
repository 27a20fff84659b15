/// Units of a consumable that a customer has used, as a service reports it: what is used cannot be taken back.
package struct Usage: Hashable, Sendable {
    /// Whose units.
    package let customer: CustomerKey
    /// The catalog's unit, or the productId where the catalog has none.
    package let unit: String
    /// How many units, from 1 up to ``amountMax``.
    package let amount: Int64
    /// The reporter's name for this report: reported again, it counts once.
    package let idempotencyKey: String

    /// The most units of one report.
    package static let amountMax: Int64 = 1_000_000_000_000
    /// The most bytes of a unit and of an idempotency key.
    package static let textBytesMax = TransactionID.bytesMax

    /// A report with these members.
    /// - Throws: ``UsageError`` that names the member which cannot be.
    package init(customer: CustomerKey, unit: String, amount: Int64, idempotencyKey: String) throws(UsageError) {
        guard Self.isUsable(unit) else { throw .badUnit }
        guard Self.isUsable(idempotencyKey) else { throw .badIdempotencyKey }
        guard (1...Self.amountMax).contains(amount) else { throw .badAmount(amount) }
        self.customer = customer
        self.unit = unit
        self.amount = amount
        self.idempotencyKey = idempotencyKey
    }

    private static func isUsable(_ text: String) -> Bool {
        (1...textBytesMax).contains(text.utf8.count) && !text.utf8.contains(0)
    }
}

/// Why a report of used units was refused.
package enum UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The unit is empty, too long, or holds U+0000.
    case badUnit
    /// The key is empty, too long, or holds U+0000.
    case badIdempotencyKey
    /// The amount is outside 1…``Usage/amountMax``.
    case badAmount(Int64)

    package var description: String {
        switch self {
        case .badUnit: "A usage needs a \"unit\" of 1 to \(Usage.textBytesMax) bytes without U+0000."
        case .badIdempotencyKey:
            "A usage needs an \"idempotencyKey\" of 1 to \(Usage.textBytesMax) bytes without U+0000."
        case .badAmount(let amount):
            "A usage of \(amount) units cannot be: \"amount\" is a whole number from 1 to \(Usage.amountMax)."
        }
    }
}
