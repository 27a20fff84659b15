import Projections

/// What the rooms of loops count; each number belongs to its loop's thread, so they are gathered there.
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

    /// Counts a room too; on its loop's thread.
    mutating func add(_ room: LoopRoom) {
        waitingForConnection += room.questions.waitingForConnection
        waitingForProjection += room.questions.waitingForProjection
        hits += room.hot.lookups.hits
        misses += room.hot.lookups.misses
        let kept = room.hot.kept
        self.kept.count += kept.count
        self.kept.bytes += kept.bytes
        drops.add(kept.drops)
    }

    /// Goes through all loops, one after the other; one that has ended is left out.
    ///
    /// The completion comes on the last one's thread, or on the calling one.
    static func gather(
        _ hands: ArraySlice<LoopHand>,
        _ counts: LoopCounts = LoopCounts(),
        completion: @escaping @Sendable (LoopCounts) -> Void
    ) {
        guard let first = hands.first else { return completion(counts) }
        let rest = hands.dropFirst()
        let isTaken = first.onLoop { room in
            var counts = counts
            counts.add(room)
            gather(rest, counts, completion: completion)
        }
        if !isTaken { gather(rest, counts, completion: completion) }
    }
}
