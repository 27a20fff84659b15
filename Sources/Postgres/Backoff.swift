/// How long to wait before the next attempt: twice as long each time up to a cap, and a random part of up to a half less,
/// so that many clients of one server do not come back at the same moment.
package struct Backoff: Sendable, Hashable {
    package let first: Duration
    package let cap: Duration
    /// Attempts since the last success.
    package private(set) var attempts = 0

    package init(first: Duration = .milliseconds(50), cap: Duration = .seconds(5)) {
        precondition(first > .zero && cap >= first, "a backoff needs a positive first wait and a cap not below it")
        self.first = first
        self.cap = cap
    }

    /// The wait before the next attempt: between half and all of min(cap, first × 2ⁿ) after n earlier attempts.
    package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        var full = first
        // 62 doublings overflow nothing and pass any cap that makes sense.
        for _ in 0..<min(attempts, 62) where full < cap { full *= 2 }
        full = min(full, cap)
        attempts += 1
        let half = full / 2
        return half + half * Double.random(in: 0...1, using: &generator)
    }

    /// After a success, the next wait is the first one again.
    package mutating func reset() { attempts = 0 }
}
