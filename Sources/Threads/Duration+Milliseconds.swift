extension Duration {
    /// Whole milliseconds, rounded up, so that a wait does not end too early; at the ends of `Int64` it stays there.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? .min : .max }
        return milliseconds + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
