/// Which rendering of a document this is, and how renderings of one thing are ordered: the one signed last is the
/// truth, whatever the order of arrival (PROTOCOL.md section 8.2).
package struct Rendering: Hashable, Sendable {
    package var signedAt: Instant
    /// Whether it carries a revocation: of two renderings signed in the same millisecond that one is preferred.
    package var isRevoked: Bool
    package var digest: DocumentDigest
    /// The event that recorded it.
    package var position: Position
    /// Whether another rendering with the same `signedAt` has other content: flagged, because the preference between
    /// the two is ours and not the App Store's.
    package var isTied = false

    package init(signedAt: Instant, isRevoked: Bool = false, digest: DocumentDigest, position: Position) {
        self.signedAt = signedAt
        self.isRevoked = isRevoked
        self.digest = digest
        self.position = position
    }

    /// Whether this one wins over another rendering of the same thing.
    package func wins(over other: Rendering) -> Bool {
        if signedAt != other.signedAt { return signedAt > other.signedAt }
        if isRevoked != other.isRevoked { return isRevoked }
        return digest > other.digest
    }

    /// Whether the two were signed in the same millisecond and differ.
    package func ties(with other: Rendering) -> Bool { signedAt == other.signedAt && digest != other.digest }
}

/// A last-writer-wins register: it takes renderings in any order and holds the winner.
package protocol RenderedFact: Sendable {
    var rendering: Rendering { get set }
    /// What must survive from the losing side of a merge; called on the winner.
    mutating func absorb(_ loser: Self)
}

extension RenderedFact {
    package mutating func absorb(_ loser: Self) {}

    /// Takes another rendering of the same thing in.
    ///
    /// The result does not depend on the order of merges.
    package mutating func merge(_ other: Self) {
        let tied =
            rendering.ties(with: other.rendering)
            || rendering.isTied && rendering.signedAt >= other.rendering.signedAt
            || other.rendering.isTied && other.rendering.signedAt >= rendering.signedAt
        if other.rendering.wins(over: rendering) {
            var winner = other
            winner.absorb(self)
            self = winner
        } else {
            absorb(other)
        }
        rendering.isTied = tied
    }
}
