package import LedgerCore

/// An entitlement set as it goes to callers, without the stamps that say when it was looked up.
package struct RenderedAnswer: Sendable, Hashable {
    /// JSON from the comma before `entitlements` to the end of the object: it follows the stamps.
    package var members: [UInt8]
    /// The strong validator of ``members``, as it stands in `ETag` (decision 8).
    package var entityTag: String
    /// When time alone changes the answer next; nil: never.
    package var nextChangeAt: Instant?

    package init(members: [UInt8], entityTag: String, nextChangeAt: Instant?) {
        self.members = members
        self.entityTag = entityTag
        self.nextChangeAt = nextChangeAt
    }
}
