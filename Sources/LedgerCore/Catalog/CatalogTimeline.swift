/// The versions of the catalog that the ledger has recorded, and which one was in force when (DESIGN.md section 5).
package struct CatalogTimeline: Sendable {
    private struct Version {
        var position: Position
        var recordedAt: Instant
        var catalog: Catalog
    }

    /// In the order of their positions, and so of their times.
    private var versions: [Version] = []
    /// Until the first version is recorded.
    private let initial: Catalog
    /// How far the versions are known.
    package private(set) var position = Position.start

    /// A timeline without versions: everything is judged by this catalog.
    package init(initial: Catalog) { self.initial = initial }

    /// Adds the next version; one that is known changes nothing.
    ///
    /// nil: its event cannot be read, and the version before it stays in force.
    package mutating func add(_ catalog: Catalog?, at position: Position, recordedAt: Instant) {
        guard position > self.position else { return }
        self.position = position
        guard let catalog else { return }
        versions.append(Version(position: position, recordedAt: recordedAt, catalog: catalog))
    }

    /// The catalog in force at an instant, by the versions recorded up to a position; before the first of them, the
    /// first.
    package func catalog(at instant: Instant, upTo last: Position) -> Catalog {
        let known = versions.prefix { $0.position <= last }
        let inForce = known.last { $0.recordedAt <= instant } ?? known.first ?? versions.first
        return inForce?.catalog ?? initial
    }

    /// When the next of the versions recorded up to a position comes into force after an instant; nil when none does.
    ///
    /// A version is recorded by the database's clock, which may be ahead of the one that the instant is from.
    package func nextVersion(after instant: Instant, upTo last: Position) -> Instant? {
        versions.first { $0.position <= last && $0.recordedAt > instant }?.recordedAt
    }
}
