import Synchronization

/// How long something took, counted in buckets of fixed bounds.
///
/// Any thread adds and reads; numbers of one reading may lie a few observations apart. An observation costs a
/// short search and two atomic additions: no lock, no allocation.
package final class LatencyHistogram: Sendable {
    /// The numbers of one reading.
    package struct Snapshot: Equatable, Sendable {
        /// The upper bounds of the buckets, ascending, each included in its bucket.
        package var bounds: [Duration]
        /// Observations by bucket, not cumulated: those that took at most the bound of the same place in ``bounds`` and
        /// longer than the one before; the last are those that took longer than all.
        package var counts: [Int]
        /// The time that all took together.
        package var sum: Duration

        /// All observations.
        package var count: Int { counts.reduce(0, +) }
    }

    /// What times are cut to, so that their sum stays inside 64 bits: a century of nanoseconds would fill it.
    package enum Resolution: Sendable {
        /// For what takes less than hours.
        case nanoseconds
        /// For what can take years; each time counts as a century at most.
        case seconds
    }

    private final class Bucket: Sendable {
        let count = Atomic(0)
    }

    /// The bounds for answers over HTTP: 0.1 ms to 10 s.
    package static let bounds: [Duration] = [
        .microseconds(100), .microseconds(250), .microseconds(500), .milliseconds(1), .microseconds(2500),
        .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .milliseconds(2500), .seconds(5), .seconds(10),
    ]

    private let bounds: [Duration]
    private let resolution: Resolution
    private let wholeBounds: [Int64]
    private let buckets: [Bucket]
    private let sum = Atomic<Int64>(0)

    /// A histogram without observations; the bounds ascend, in whole units of the resolution.
    package init(bounds: [Duration] = LatencyHistogram.bounds, resolution: Resolution = .nanoseconds) {
        self.bounds = bounds
        self.resolution = resolution
        wholeBounds = bounds.map(resolution.whole)
        buckets = (0...bounds.count).map { _ in Bucket() }
    }

    /// The numbers now.
    package var snapshot: Snapshot {
        Snapshot(
            bounds: bounds,
            counts: buckets.map { $0.count.load(ordering: .relaxed) },
            sum: resolution.duration(sum.load(ordering: .relaxed))
        )
    }

    /// Counts one that took so long.
    package func observe(_ duration: Duration) {
        let taken = max(0, resolution.whole(duration))
        let index = wholeBounds.firstIndex { taken <= $0 } ?? wholeBounds.count
        buckets[index].count.wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(taken, ordering: .relaxed)
    }
}

extension LatencyHistogram.Resolution {
    /// A century, in seconds.
    private static let secondsMax: Int64 = 3_155_760_000

    /// A duration in whole units, rounded down and limited to about a century.
    fileprivate func whole(_ duration: Duration) -> Int64 {
        switch self {
        case .nanoseconds: duration.wholeNanoseconds
        case .seconds: min(duration.components.seconds, Self.secondsMax)
        }
    }

    fileprivate func duration(_ whole: Int64) -> Duration {
        switch self {
        case .nanoseconds: .nanoseconds(whole)
        case .seconds: .seconds(whole)
        }
    }
}
