/// One rendering of a transaction as the registers read it: what it states, and how the ledger came to know it.
package struct RegisterRendering: Hashable, Sendable {
    /// The members that facts are made of; its `rendering` orders it among the others and holds its position.
    package var fact: TransactionFact
    /// The country of the purchase, ISO 3166-1 alpha-3.
    package var storefront: String?
    /// What Advanced Commerce items say of refunds; nil when no item was refunded or revoked.
    package var items: ItemRefunds?
    /// Who brought it first.
    package var source: EventSource
    /// When it was recorded.
    package var recordedAt: Instant

    /// A rendering whose parts are at hand.
    package init(
        fact: TransactionFact,
        storefront: String? = nil,
        items: ItemRefunds? = nil,
        source: EventSource,
        recordedAt: Instant
    ) {
        self.fact = fact
        self.storefront = storefront
        self.items = items
        self.source = source
        self.recordedAt = recordedAt
    }

    /// The rendering that an event records; nil for an event of another kind, or one that carries no facts.
    package init?(_ event: LedgerEvent) {
        guard event.kind == .transaction, let document = try? TransactionDocument(payload: event.payload),
            let fact = TransactionFact(document, digest: event.digest, position: event.position)
        else { return nil }
        self.init(
            fact: fact,
            storefront: document.storefront,
            items: ItemRefunds(document.advancedCommerceInfo),
            source: event.source,
            recordedAt: event.recordedAt
        )
    }

    /// The event that recorded it.
    package var position: Position { fact.rendering.position }
    /// When it was signed.
    package var signedAt: Instant { fact.rendering.signedAt }
    /// Whether the transaction is revoked, or any item of it is refunded or revoked.
    package var isRevoked: Bool { fact.revocationDate != nil || items != nil }
}
