import LedgerCore
import Projections

/// Where a page of a register ended, and the position that its list stands at: an opaque text to callers.
///
/// The position makes the pages of one list fit together, whatever is recorded meanwhile.
struct RegisterCursor: Hashable, Sendable {
    /// The last row of a page, in the order of its register.
    enum Place: Hashable, Sendable {
        /// Of a register that is made from entries.
        case entry(RegisterPlace)
        /// Of the register of purchases.
        case purchase(PurchaseReader.Place)
        /// Of the register of refund requests.
        case request(RefundRequestReader.Place)
    }

    /// The list is as known here.
    var position: Position
    /// The last row of the page.
    var place: Place

    init(position: Position, place: Place) {
        self.position = position
        self.place = place
    }

    /// Reads what ``text`` wrote; nil for any other text.
    init?(_ text: String) {
        guard let bytes = Base64.decode(Array(text.utf8)[...], .url) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 6)
        guard parts.count > 2, let position = Position(cursor: parts[1]) else { return nil }
        self.position = position
        switch parts[0] {
        case "entry":
            guard let place = RegisterPlace(cursor: parts.dropFirst(2)) else { return nil }
            self.place = .entry(place)
        case "request":
            guard let place = RefundRequestReader.Place(cursor: parts.dropFirst(2)) else { return nil }
            self.place = .request(place)
        case "purchase":
            guard let place = PurchaseReader.Place(cursor: parts.dropFirst(2)) else { return nil }
            self.place = .purchase(place)
        default: return nil
        }
    }

    /// As it stands in `next` and in `cursor`.
    var text: String {
        let text =
            switch place {
            case .entry(let place):
                "entry \(position) \(place.date.milliseconds) \(place.id.signedAt.milliseconds) "
                    + "\(place.id.kind.rawValue) \(place.knownFrom) \(place.id.transactionID)"
            case .purchase(.purchased(let date, let transaction, let line)):
                "purchase \(position) \(date.milliseconds) \(transaction.rawValue.utf8.count) \(transaction)\(line)"
            case .purchase(.recorded(let place)): "purchase \(position) \(place)"
            case .request(let place): "request \(position) \(place.date.milliseconds) \(place.position)"
            }
        return String(decoding: Base64.encode(Array(text.utf8), .url), as: UTF8.self)
    }
}

extension RegisterPlace {
    /// Reads date, signing, kind, position and transaction.
    fileprivate init?(cursor parts: ArraySlice<Substring>) {
        let parts = Array(parts)
        guard parts.count == 5, let date = Instant(cursor: parts[0]), let signedAt = Instant(cursor: parts[1]),
            let kind = RegisterEntry.Kind(rawValue: String(parts[2])), let knownFrom = Position(cursor: parts[3]),
            let transactionID = TransactionID(cursor: parts[4])
        else { return nil }
        self.init(
            date: date,
            id: RegisterEntry.ID(transactionID: transactionID, signedAt: signedAt, kind: kind),
            knownFrom: knownFrom
        )
    }
}

extension PurchaseReader.Place {
    /// Reads a position; or date, length of the transaction's identifier, and this with the line's behind it.
    fileprivate init?(cursor parts: ArraySlice<Substring>) {
        let parts = Array(parts)
        if parts.count == 1, let position = Position(cursor: parts[0]) {
            self = .recorded(position)
            return
        }
        guard parts.count >= 3, let date = Instant(cursor: parts[0]), let count = Int(parts[1]), count >= 0 else {
            return nil
        }
        // An identifier may have spaces.
        let identifiers = Array(parts[2...].joined(separator: " ").utf8)
        guard count <= identifiers.count,
            let transaction = TransactionID(cursor: identifiers[..<count]),
            let line = OriginalTransactionID(cursor: identifiers[count...])
        else { return nil }
        self = .purchased(date, transaction, line)
    }
}

extension TextIdentifier {
    /// An identifier that a statement can be asked with; nil for any other text.
    fileprivate init?(cursor text: Substring) { self.init(cursor: Array(text.utf8)[...]) }

    fileprivate init?(cursor bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.bytesMax, !bytes.contains(0) else { return nil }
        self.init(rawValue: String(decoding: bytes, as: UTF8.self))
    }
}

extension RefundRequestReader.Place {
    /// Reads date and position.
    fileprivate init?(cursor parts: ArraySlice<Substring>) {
        let parts = Array(parts)
        guard parts.count == 2, let date = Instant(cursor: parts[0]), let position = Position(cursor: parts[1]) else {
            return nil
        }
        self.init(date: date, position: position)
    }
}

extension Position {
    fileprivate init?(cursor text: Substring) {
        guard let number = Int64(text), number >= 0 else { return nil }
        self.init(number)
    }
}

extension Instant {
    fileprivate init?(cursor text: Substring) {
        guard let number = Int64(text) else { return nil }
        self.init(milliseconds: number)
    }
}
