import LedgerCore

/// What a follower that stands by has seen of the one that folds.
struct Standby {
    private let position: Position
    private let since: ContinuousClock.Instant
    /// Whether the log is known to hold more than the cursor has passed.
    let isBehind: Bool

    init(_ position: Position, log: Position, now: ContinuousClock.Instant = .now) {
        self.init(position, since: now, isBehind: position < log)
    }

    private init(_ position: Position, since: ContinuousClock.Instant, isBehind: Bool) {
        (self.position, self.since, self.isBehind) = (position, since, isBehind)
    }

    /// The same after another look: patience begins anew when the cursor has moved, or has something to move for.
    func seeing(_ position: Position, log: Position, now: ContinuousClock.Instant = .now) -> Standby {
        let isBehind = position < log
        let isNews = position != self.position || isBehind && !self.isBehind
        return Standby(position, since: isNews ? now : since, isBehind: isBehind)
    }

    /// Whether the cursor has stood still for too long.
    func isOver(now: ContinuousClock.Instant = .now) -> Bool {
        now - since >= (isBehind ? Follower.patience : Follower.idlePatience)
    }
}
