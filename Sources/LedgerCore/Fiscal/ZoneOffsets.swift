/// A time zone as a value: its distance from UTC at every instant.
///
/// There is no I/O in this target: a zone of the system's tzdata is read by whoever may read files, and comes as the
/// file's bytes (`init(tzif:)`).
package struct ZoneOffsets: Hashable, Sendable {
    /// From this second on another offset holds.
    package struct Transition: Hashable, Sendable {
        /// Seconds since 1970-01-01T00:00:00Z.
        package var at: Int64
        /// Seconds to add to UTC.
        package var offset: Int64
    }

    /// Before the first transition, in seconds to add to UTC.
    private let initialOffset: Int64
    private let transitions: [Transition]
    /// From the last transition on; nil: its offset stays.
    private let rule: ZoneRule?

    /// Cupertino's, by the rule that has held since 2007: the App Store opened in 2008, so no purchase is older.
    package static let pacific = ZoneOffsets(rule: .pacific)

    /// A zone that follows one rule always.
    package init(rule: ZoneRule) {
        initialOffset = rule.standardOffset
        transitions = []
        self.rule = rule
    }

    /// A zone with a history.
    /// - Parameters:
    ///   - initialOffset: before the first transition.
    ///   - transitions: in the order of time.
    ///   - rule: from the last transition on; nil when its offset stays.
    package init(initialOffset: Int64, transitions: [Transition], rule: ZoneRule?) {
        self.initialOffset = initialOffset
        self.transitions = transitions
        self.rule = rule
    }

    /// Seconds to add to UTC at an instant.
    package func offset(at instant: Instant) -> Int64 {
        offset(at: instant.milliseconds.flooredDivision(by: 1000).quotient)
    }

    /// The day that an instant falls on.
    package func day(of instant: Instant) -> CivilDate {
        let second = instant.milliseconds.flooredDivision(by: 1000).quotient
        let local = second + offset(at: second)
        return CivilDate(daysSince1970: local.flooredDivision(by: Self.secondsPerDay).quotient)
    }

    /// The first instant of a day; the change itself where the clocks jump over midnight.
    package func startOfDay(_ day: CivilDate) -> Instant {
        let midnight = day.daysSince1970 * Self.secondsPerDay
        let before = offset(at: midnight - 2 * Self.secondsPerDay)
        let after = offset(at: midnight + 2 * Self.secondsPerDay)
        for offset in [before, after] where self.offset(at: midnight - offset) == offset {
            return Instant(milliseconds: (midnight - offset) * 1000)
        }
        // No such midnight: the change is between the two readings of it.
        var (low, high) = (midnight - max(before, after), midnight - min(before, after))
        while low < high {
            let middle = low + (high - low) / 2
            if offset(at: middle) == after { high = middle } else { low = middle + 1 }
        }
        return Instant(milliseconds: low * 1000)
    }

    private static let secondsPerDay: Int64 = 86_400

    private func offset(at second: Int64) -> Int64 {
        guard let last = transitions.last else { return rule?.offset(at: second) ?? initialOffset }
        if second >= last.at { return rule?.offset(at: second) ?? last.offset }
        // The first transition that is later; the one before it holds.
        var (low, high) = (0, transitions.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at > second { high = middle } else { low = middle + 1 }
        }
        return low == 0 ? initialOffset : transitions[low - 1].offset
    }
}
