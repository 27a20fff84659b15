private import Glibc

/// An instant on the machine's monotonic clock, for deadlines within one process.
///
/// Not `ContinuousClock.Instant`: its layout is hidden in its library, so that every value that holds one is handled
/// through run-time metadata, several times in each request.
package struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since some instant before the process began.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// This instant.
    package static var now: MonotonicTime {
        var time = timespec()
        // It cannot fail: the clock exists and the address is ours.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// An instant later by a duration of at most about a century; beyond that, as late as can be said.
    package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (sum, isOverflow) = time.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return MonotonicTime(nanoseconds: isOverflow ? .max : sum)
    }

    /// The time from one instant to another.
    package static func - (end: MonotonicTime, start: MonotonicTime) -> Duration {
        .nanoseconds(end.nanoseconds - start.nanoseconds)
    }
}

extension Duration {
    /// The nanoseconds, rounded down, and limited to about a century so that sums do not overflow.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let limit: Int64 = 3_000_000_000
        return min(max(seconds, -limit), limit) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
