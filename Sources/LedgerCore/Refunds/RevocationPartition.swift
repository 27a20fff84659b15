/// The revoked transactions among some, divided: money back, or not (DESIGN section 5: refunds and the rest are all
/// revocations).
package struct RevocationPartition: Hashable, Sendable {
    /// How many are revoked, in whole or by item, as their winning renderings state it.
    package private(set) var revoked = 0
    /// How many of them the registers hold as refunded.
    package private(set) var refunded = 0
    /// How many of them the registers hold as revoked without money, by class.
    package private(set) var withoutRefund: [RevocationClass: Int] = [:]

    /// Divides transactions by what was said last in their registers.
    package init(_ registers: some Sequence<TransactionRegister>) {
        for register in registers {
            if register.renderings.last?.isRevoked ?? false { revoked += 1 }
            // Counted from the entries, not from the rendering: that is what the check is for.
            if let last = register.entries.last(where: \.isAboutMoney), !last.takesAllBack { refunded += 1 }
            if let last = register.entries.last(where: { !$0.isAboutMoney }), last.kind == .revocation,
                let revocationClass = last.revocationClass
            {
                withoutRefund[revocationClass, default: 0] += 1
            }
        }
    }

    /// Whether refunds and the rest are all revocations.
    package var isWhole: Bool { refunded + withoutRefund.values.reduce(0, +) == revoked }
}
