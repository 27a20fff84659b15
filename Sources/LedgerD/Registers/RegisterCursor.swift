import LedgerCore
import Projections

/// Where a page of a register ended, and the position that its list stands at: an opaque text to callers.
///
/// The position makes the pages of one list fit together, whatever is recorded meanwhile.
struct RegisterCursor: Hashable, Sendable {
    /// The list is as known here.
    var position: Position
    /// The last row of the page.
    var place: RegisterPlace

    init(position: Position, place: RegisterPlace) {
        self.position = position
        self.place = place
    }

    /// Reads what ``text`` wrote; nil for any other text.
    init?(_ text: String) {
        guard let bytes = Base64.decode(Array(text.utf8)[...], .url) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 5)
        guard parts.count == 6, let position = Int64(parts[0]), let date = Int64(parts[1]),
            let signedAt = Int64(parts[2]), let kind = RegisterEntry.Kind(rawValue: String(parts[3])),
            let knownFrom = Int64(parts[4]), position >= 0, knownFrom >= 0,
            parts[5].utf8.count <= TransactionID.bytesMax, !parts[5].utf8.contains(0)
        else { return nil }
        self.position = Position(position)
        place = RegisterPlace(
            date: Instant(milliseconds: date),
            id: RegisterEntry.ID(
                transactionID: TransactionID(rawValue: String(parts[5])),
                signedAt: Instant(milliseconds: signedAt),
                kind: kind
            ),
            knownFrom: Position(knownFrom)
        )
    }

    /// As it stands in `next` and in `cursor`.
    var text: String {
        let text =
            "\(position) \(place.date.milliseconds) \(place.id.signedAt.milliseconds) \(place.id.kind.rawValue) "
            + "\(place.knownFrom) \(place.id.transactionID)"
        return String(decoding: Base64.encode(Array(text.utf8), .url), as: UTF8.self)
    }
}
