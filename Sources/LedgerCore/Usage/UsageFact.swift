/// A report of used units that the log recorded.
package struct UsageFact: Hashable, Sendable {
    /// What was reported.
    package var usage: Usage
    /// From when on it counts: when the units were used, or else when the report was recorded.
    package var usedAt: Instant
    /// The event that recorded it.
    package var position: Position

    /// A report whose parts are at hand.
    package init(_ usage: Usage, usedAt: Instant, position: Position) {
        self.usage = usage
        self.usedAt = usedAt
        self.position = position
    }

    /// The report of an event; nil for an event of another kind.
    package init?(_ event: LedgerEvent) {
        guard event.kind == .usage, let usage = Usage(json: event.payload) else { return nil }
        self.usage = usage
        usedAt = usage.usedAt ?? event.recordedAt
        position = event.position
    }

    /// Takes the same report in as another event recorded it: a log has it once, and the first one stays.
    mutating func merge(_ other: UsageFact) { if other.position < position { self = other } }
}
