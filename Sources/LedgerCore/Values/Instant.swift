/// A moment in UTC, in whole milliseconds since 1970-01-01T00:00:00Z: the App Store's unit, exact in `Int64`.
///
/// Values before 1970 occur in real documents (PROTOCOL.md, conventions).
package struct Instant: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// After everything that can be written.
    package static let distantFuture = Instant(milliseconds: .max)

    package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    package static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// The instant this many milliseconds later (earlier when negative); it stops at the ends of `Int64`.
    package func adding(milliseconds delta: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        return Instant(milliseconds: overflow ? (delta > 0 ? .max : .min) : sum)
    }
}
