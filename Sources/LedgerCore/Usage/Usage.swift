/// Units of a consumable that were used, as a service reports them: what is used cannot be taken back.
package struct Usage: Hashable, Sendable {
    /// Whose units: of one transaction, or of all purchases of a line or a customer.
    package let holder: CustomerKey
    /// The catalog's unit, or the productId where the catalog has none; nil only for a transaction, whose product has
    /// one unit.
    package let unit: String?
    /// How many units, from 1 up to ``amountMax``.
    package let amount: Int64
    /// The reporter's name for this report: reported again, it counts once.
    package let idempotencyKey: IdempotencyKey
    /// When they were used; nil: when the ledger recorded the report.
    package let usedAt: Instant?

    /// The most units of one report.
    package static let amountMax: Int64 = 1_000_000_000_000
    /// The most bytes of a unit, of a holder and of an idempotency key.
    package static let textBytesMax = TransactionID.bytesMax

    /// A report with these members.
    /// - Throws: ``UsageReportError`` that names the member which cannot be.
    package init(
        holder: CustomerKey,
        unit: String?,
        amount: Int64,
        idempotencyKey: IdempotencyKey,
        usedAt: Instant? = nil
    ) throws(UsageReportError) {
        guard Self.isUsable(holder.value) else { throw .badHolder("\(holder.name)") }
        if let unit {
            guard Self.isUsable(unit) else { throw .badUnit }
        } else {
            guard case .transactionID = holder else { throw .unitMissing }
        }
        guard Self.isUsable(idempotencyKey.rawValue) else { throw .badIdempotencyKey }
        guard (1...Self.amountMax).contains(amount) else { throw .badAmount(amount) }
        self.holder = holder
        self.unit = unit
        self.amount = amount
        self.idempotencyKey = idempotencyKey
        self.usedAt = usedAt
    }

    private static func isUsable(_ text: String) -> Bool {
        (1...textBytesMax).contains(text.utf8.count) && !text.utf8.contains(0)
    }
}

/// What a service calls its report, once in an environment.
package struct IdempotencyKey: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// Why a report of used units was refused.
package enum UsageReportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The unit is empty, too long, or holds U+0000.
    case badUnit
    /// The report names more than one transaction, so it needs a unit.
    case unitMissing
    /// The key under this name is empty, too long, or holds U+0000.
    case badHolder(String)
    /// The key is empty, too long, or holds U+0000.
    case badIdempotencyKey
    /// The amount is outside 1…``Usage/amountMax``.
    case badAmount(Int64)

    package var description: String {
        switch self {
        case .badUnit: "A usage needs a \"unit\" of 1 to \(Usage.textBytesMax) bytes without U+0000."
        case .unitMissing: "A usage needs a \"unit\" unless it names one transaction by its \"transactionId\"."
        case .badHolder(let name):
            "The \"\(name)\" of a usage must have 1 to \(Usage.textBytesMax) bytes without U+0000."
        case .badIdempotencyKey:
            "A usage needs an \"idempotencyKey\" of 1 to \(Usage.textBytesMax) bytes without U+0000."
        case .badAmount(let amount):
            "A usage of \(amount) units cannot be: \"amount\" is a whole number from 1 to \(Usage.amountMax)."
        }
    }
}
