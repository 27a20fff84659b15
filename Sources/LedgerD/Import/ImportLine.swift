import JWS
import LedgerCore

/// The signed documents of one line of an import.
///
/// A line is a JSON object as the App Store's answers have them (`signedPayload`, `signedTransactionInfo`,
/// `signedRenewalInfo`, `signedAppTransaction` or `signedAppTransactionInfo`; other members are passed over), or one
/// compact JWS, with or without quotation marks.
struct ImportLine: Sendable, Hashable {
    /// A document and what it must be.
    struct Document: Sendable, Hashable {
        var kind: DocumentKind
        var text: [UInt8]
    }

    private(set) var documents: [Document] = []

    private static let members: [String: DocumentKind] = [
        "signedPayload": .notification, "signedTransactionInfo": .transaction, "signedRenewalInfo": .renewalInfo,
        "signedAppTransaction": .appTransaction, "signedAppTransactionInfo": .appTransaction,
    ]

    /// Reads a line; one of blanks alone holds no document.
    /// - Throws: the rejection of the whole line.
    init(_ line: LineReader.Line) throws(Rejection) {
        guard let text = line.text else {
            throw Rejection(.tooLarge, "The line is longer than \(LineReader.lineBytesMax) bytes.")
        }
        let trimmed = text.trimmingBlanks
        guard let first = trimmed.first else { return }
        do throws(RequestError) {
            switch first {
            case UInt8(ascii: "{"): try readObject(trimmed)
            case UInt8(ascii: "\""): documents = [Self.bare(try Self.readText(trimmed))]
            default: documents = [Self.bare(Array(trimmed))]
            }
        } catch {
            throw Rejection(.malformed, error.sentenceAboutLine)
        }
    }

    private mutating func readObject(_ text: ArraySlice<UInt8>) throws(RequestError) {
        var found: [Document] = []
        try RequestBody.members(Array(text)) { name, scanner throws(RequestError) in
            guard let kind = Self.members[name] else { return try RequestBody.skip(&scanner) }
            found.append(Document(kind: kind, text: try RequestBody.text(&scanner, member: name)))
        }
        guard !found.isEmpty else { throw .missing("signedPayload") }
        documents = found
    }

    private static func readText(_ text: ArraySlice<UInt8>) throws(RequestError) -> [UInt8] {
        var scanner = JSONScanner(Array(text))
        let content = try RequestBody.text(&scanner, member: "line")
        do throws(JSONSyntaxError) { try scanner.finish() } catch { throw .notJSON(offset: error.offset) }
        return content
    }

    /// A document that does not stand under a member's name: what it is shows in its payload.
    private static func bare(_ text: [UInt8]) -> Document {
        let segments = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard segments.count == 3, let payload = Base64.decode(segments[1], .url),
            let evidence = try? ClaimsReader(payload, as: .transaction).looksLike
        else { return Document(kind: .transaction, text: text) }
        let kinds: [DocumentKind] = [.notification, .renewalInfo, .appTransaction]
        return Document(kind: kinds.first { evidence.contains(KindEvidence($0)) } ?? .transaction, text: text)
    }
}

extension RequestError {
    fileprivate var sentenceAboutLine: String {
        switch self {
        case .notJSON(let offset): "The line is neither a JSON object nor a signed document (at byte \(offset))."
        case .missing: "The line has none of the members that hold a signed document."
        case .wrongType, .tooMany: problem.detail
        }
    }
}

extension [UInt8] {
    /// Without blanks at either end.
    fileprivate var trimmingBlanks: ArraySlice<UInt8> {
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        guard let first = firstIndex(where: { !blanks.contains($0) }),
            let last = lastIndex(where: { !blanks.contains($0) })
        else { return [] }
        return self[first...last]
    }
}
