import LedgerCore

/// Where the next page of a list about a customer begins.
///
/// It carries what the first page was answered by, so that all pages are cut from one list, whatever is appended
/// meanwhile.
struct ListCursor: Sendable, Hashable {
    /// The last event that counts.
    var position: Position
    /// `at` of the question; nil: it named none.
    var at: Instant?
    /// How many items come before the page.
    var offset: Int

    /// The longest text that is looked at.
    private static let bytesMax = 128

    init(position: Position, at: Instant?, offset: Int) {
        self.position = position
        self.at = at
        self.offset = offset
    }

    /// Reads the text of an answer's `next`; nil for a text that is none.
    init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax, let bytes = Base64.decode(Array(text.utf8)[...], .url) else {
            return nil
        }
        let parts = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 3, let position = Int64(parts[0]), position >= 0, let offset = Int(parts[2]), offset >= 0
        else { return nil }
        let at = Int64(parts[1])
        guard at != nil || parts[1].isEmpty else { return nil }
        self.init(position: Position(position), at: at.map(Instant.init(milliseconds:)), offset: offset)
    }

    /// The text, opaque to callers.
    var text: String {
        let plain = "\(position.rawValue) \(at.map { String($0.milliseconds) } ?? "") \(offset)"
        return String(decoding: Base64.encode(Array(plain.utf8), .url), as: UTF8.self)
    }
}
