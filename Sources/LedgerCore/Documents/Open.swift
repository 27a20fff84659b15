/// A value from a list that the App Store may extend: one of the values we know, or the one that came.
///
/// The raw value goes out as it came in, so an unknown value survives storage and answers (PROTOCOL.md sections 2.10
/// and 2.11). Make one with `init(rawValue:)` or `.known`, never `.unknown` with a raw value that the list has.
package enum Open<Known>: RawRepresentable, Hashable, Sendable
where Known: RawRepresentable & Hashable & Sendable, Known.RawValue: Hashable & Sendable {
    case known(Known)
    case unknown(Known.RawValue)

    package init(rawValue: Known.RawValue) {
        self = if let known = Known(rawValue: rawValue) { .known(known) } else { .unknown(rawValue) }
    }

    /// The value on the wire.
    package var rawValue: Known.RawValue {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let raw): raw
        }
    }

    /// The value when it is one that we know; compare with `document.type?.known == .consumable`.
    package var known: Known? {
        switch self {
        case .known(let value): value
        case .unknown: nil
        }
    }
}

extension Open: Codable where Known.RawValue: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(Known.RawValue.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
