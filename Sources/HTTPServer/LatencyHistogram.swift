import Synchronization

/// How long answers took, counted in buckets of fixed bounds.
///
/// The loop's thread adds, any thread reads; numbers of one reading may lie a few answers apart. An observation costs a
/// short search and two atomic additions: no lock, no allocation.
package final class LatencyHistogram: Sendable {
    /// The numbers of one reading.
    package struct Snapshot: Equatable, Sendable {
        /// Answers by bucket, not cumulated: those that took at most the bound of the same place in
        /// ``LatencyHistogram/bounds`` and longer than the one before; the last are those that took longer than all.
        package var counts: [Int]
        /// The time that all answers took together.
        package var sum: Duration

        /// All answers.
        package var count: Int { counts.reduce(0, +) }
    }

    private final class Bucket: Sendable {
        let count = Atomic(0)
    }

    /// The upper bounds of the buckets, ascending: 0.1 ms to 10 s, each included in its bucket.
    package static let bounds: [Duration] = [
        .microseconds(100), .microseconds(250), .microseconds(500), .milliseconds(1), .microseconds(2500),
        .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .milliseconds(2500), .seconds(5), .seconds(10),
    ]

    private static let nanoseconds = bounds.map(\.wholeNanoseconds)

    private let buckets = (0...LatencyHistogram.bounds.count).map { _ in Bucket() }
    private let sum = Atomic<Int64>(0)

    package init() {}

    /// The numbers now.
    package var snapshot: Snapshot {
        Snapshot(
            counts: buckets.map { $0.count.load(ordering: .relaxed) },
            sum: .nanoseconds(sum.load(ordering: .relaxed))
        )
    }

    /// Counts an answer that took so long.
    package func observe(_ duration: Duration) {
        let taken = max(0, duration.wholeNanoseconds)
        let index = Self.nanoseconds.firstIndex { taken <= $0 } ?? Self.nanoseconds.count
        buckets[index].count.wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(taken, ordering: .relaxed)
    }
}
