package import LedgerCore

/// Something that an answer depends on and that an event can name: a line, a transaction, a customer or a token, in one
/// environment (decision 14).
///
/// A hash with a seed of the process. Two that are equal by chance drop an answer too much, never one too few.
package struct AnswerTag: Hashable, Sendable {
    private let fingerprint: Int

    private init(_ kind: Int, _ environment: StoreEnvironment, _ value: String) {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(environment.code)
        hasher.combine(value)
        fingerprint = hasher.finalize()
    }

    /// The tag of whatever a customer's key of this kind names.
    package init(_ key: CustomerKey, _ environment: StoreEnvironment) {
        self.init(key.kind, environment, key.value)
    }

    /// Everything that the answer to a key depends on, when these facts were found under it.
    package static func all(_ key: CustomerKey, _ facts: CustomerFacts, _ environment: StoreEnvironment) -> Set<Self> {
        var tags: Set<AnswerTag> = [AnswerTag(key, environment)]
        func add(_ key: CustomerKey) { tags.insert(AnswerTag(key, environment)) }
        for line in facts.lines {
            add(.originalTransactionID(line.line.originalTransactionID))
            if let customer = line.line.appTransactionID?.value { add(.appTransactionID(customer)) }
            if let token = line.line.appAccountToken { add(.appAccountToken(token)) }
            for purchase in line.purchases { add(.transactionID(purchase.fact.transactionID)) }
        }
        return tags
    }
}
