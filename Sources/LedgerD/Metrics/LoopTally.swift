import Synchronization

/// What one loop counts: its thread writes, any thread reads, also while the loop is busy and after it has ended.
///
/// Hits and misses are counted at once; the rest is told as it stood when the loop's last turn ended. Reading hands no
/// work to the loop: a loop that has all the work waiting that it may have could not tell its numbers.
final class LoopTally: Sendable {
    private let state = Mutex(LoopCounts())

    /// The numbers now.
    var counts: LoopCounts { state.withLock { $0 } }

    /// Counts; on the loop's thread.
    func change(_ body: (inout LoopCounts) -> Void) { state.withLock { body(&$0) } }
}
