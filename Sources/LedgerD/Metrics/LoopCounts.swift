import Projections

/// What the rooms of loops count.
struct LoopCounts: Sendable {
    /// Questions that wait for a database connection.
    var waitingForConnection = 0
    /// Questions that wait for the projection.
    var waitingForProjection = 0
    /// Questions about now that were answered from what is kept.
    var hits = 0
    /// Those that could have been.
    var misses = 0
    /// Answers that are kept, and their bytes.
    var kept = (count: 0, bytes: 0)
    /// Why others went.
    var drops = AnswerCache.Drops()

    /// What all loops have counted, those that have ended included.
    static func sum(_ loops: [LoopTally]) -> LoopCounts {
        loops.reduce(into: LoopCounts()) { $0.add($1.counts) }
    }

    private mutating func add(_ other: LoopCounts) {
        waitingForConnection += other.waitingForConnection
        waitingForProjection += other.waitingForProjection
        hits += other.hits
        misses += other.misses
        kept.count += other.kept.count
        kept.bytes += other.kept.bytes
        drops.add(other.drops)
    }
}
