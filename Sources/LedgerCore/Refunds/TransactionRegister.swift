/// The register of one transaction in one environment: what its known renderings say of its revocations, in whatever
/// order they arrived.
///
/// The entries are a pure function of the set of renderings. Taking one more in tells which entries are no longer
/// believed and which are from now on, in O(renderings of the transaction).
package struct TransactionRegister: Hashable, Sendable {
    /// The known renderings, the one signed first at the front; each document once.
    package private(set) var renderings: [RegisterRendering] = []
    /// The entries believed now, in the order of their signing.
    package private(set) var entries: [RegisterEntry] = []

    /// A register that knows nothing.
    package init() {}

    /// The register of renderings of one transaction, in any order; a document that comes twice counts once, as the
    /// one recorded first.
    package init(_ renderings: some Sequence<RegisterRendering>) {
        for rendering in renderings { insert(rendering) }
        entries = RegisterWalk.entries(of: self.renderings)
    }

    /// Takes one more rendering in, which became known at its position.
    /// - Returns: the entries that it ends and those that it begins; an entry that it leaves as it was is in neither.
    package mutating func take(_ rendering: RegisterRendering) -> RegisterChange {
        let before = entries
        insert(rendering)
        entries = RegisterWalk.entries(of: renderings)
        let (old, new) = (Set(before), Set(entries))
        return RegisterChange(
            position: rendering.position,
            closed: before.filter { !new.contains($0) },
            opened: entries.filter { !old.contains($0) }
        )
    }

    private mutating func insert(_ rendering: RegisterRendering) {
        precondition(
            renderings.last.map { $0.fact.transactionID == rendering.fact.transactionID } ?? true,
            "a register is about one transaction"
        )
        if let index = renderings.firstIndex(where: { $0.fact.rendering.digest == rendering.fact.rendering.digest }) {
            if rendering.position < renderings[index].position { renderings[index] = rendering }
            return
        }
        let place = renderings.firstIndex { $0.fact.rendering.wins(over: rendering.fact.rendering) }
        renderings.insert(rendering, at: place ?? renderings.endIndex)
    }
}

extension TransactionRegister {
    /// What the winning rendering says.
    package var reading: RevocationReading { renderings.last.map(RevocationReading.init) ?? .unrevoked }

    /// The transaction as a whole; nil when nothing is known.
    package var subject: RegisterSubject? { RegisterSubject(renderings) }

    /// How much of the transaction is refunded now (`refunded` of a transaction, API.md "Asking").
    package var refunded: RefundedAmount {
        guard let refund = reading.refund, let subject else { return .nothing }
        return refund.share.amount(of: subject.price, in: subject.currency).map(RefundedAmount.known) ?? .unknown
    }
}

/// How much of a transaction is refunded.
package enum RefundedAmount: Hashable, Sendable {
    /// Never refunded, or taken back.
    case nothing
    /// So much.
    case known(Money)
    /// Refunded, and nobody knows how much: not zero.
    case unknown

    /// The money; nil for nothing and for an unknown amount.
    package var money: Money? { if case .known(let money) = self { money } else { nil } }
}
