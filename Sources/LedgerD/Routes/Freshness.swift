import LedgerCore

/// How long a caller may keep an answer (API.md, "Conditional reads").
enum Freshness {
    /// For an answer that later events can change: a refund must end access soon, and the App Store itself takes
    /// seconds to tell of one, so five more are of no account, while a service that asks for a customer with each of
    /// its requests asks us once in five seconds.
    static let liveSecondsMax: Int64 = 5
    /// For an answer that no later event can change: both of its clocks stand in the past.
    static let finalSecondsMax: Int64 = 3600

    /// The value of `Cache-Control`: never past the moment when time alone changes the answer, counted from its `at`.
    static func cacheControl(at instant: Instant, nextChangeAt: Instant?, isFinal: Bool) -> String {
        var seconds = isFinal ? finalSecondsMax : liveSecondsMax
        if let nextChangeAt {
            let (rest, overflow) = nextChangeAt.milliseconds.subtractingReportingOverflow(instant.milliseconds)
            if !overflow { seconds = max(0, min(seconds, rest / 1000)) }
        }
        return "private, max-age=\(seconds)"
    }
}
