/// An event's number in the ledger: 1, 2, 3, … in commit order, without gaps.
///
/// 0 stands before the first event.
package struct Position: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// Before the first event.
    package static let start = Position(0)

    package init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package var description: String { String(rawValue) }

    package static func < (left: Position, right: Position) -> Bool { left.rawValue < right.rawValue }
}
