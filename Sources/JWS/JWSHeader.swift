import LedgerCore

/// What the header of a JWS decides about (PROTOCOL.md 1.2, steps 2, 4 and 5).
///
/// Its other members (`typ`, `kid`) mean nothing to a verifier that takes only one algorithm and one kind of chain.
struct JWSHeader {
    private var algorithm: String?
    /// The entries of `x5c` as they stand there, nil for one that is not a string; nil when there is no array.
    private var entries: [[UInt8]?]?
    private var seen: Set<String> = []
    private var hasCriticalMembers = false

    /// More entries than this are not looked at: the chain's length is wrong anyway.
    private static let entriesMax = 16

    init(_ decoded: [UInt8]) throws(Rejection) {
        do throws(JSONSyntaxError) {
            var scanner = JSONScanner(decoded)
            try scanner.readObject { scanner, name throws(JSONSyntaxError) in try read(name, from: &scanner) }
            try scanner.finish()
        } catch {
            throw Rejection(.malformed, "The header is not a JSON object: \(error).")
        }
        if hasCriticalMembers {
            throw Rejection(.malformed, "The header names critical extensions (crit), and none is supported.")
        }
    }

    private mutating func read(_ name: JSONScanner.Text, from scanner: inout JSONScanner) throws(JSONSyntaxError) {
        let word = scanner.string(name)
        switch word {
        case "alg", "x5c", "crit":
            // RFC 7515, section 4: names are unique. Two readers could choose different ones.
            guard seen.insert(word).inserted else { throw JSONSyntaxError(.duplicateMember, at: scanner.offset) }
        default: return try scanner.skipValue()
        }
        switch (word, scanner.peek()) {
        case ("alg", UInt8(ascii: "\"")): algorithm = scanner.string(try scanner.readString())
        case ("x5c", UInt8(ascii: "[")): try readEntries(from: &scanner)
        default:
            hasCriticalMembers = hasCriticalMembers || word == "crit"
            try scanner.skipValue()
        }
    }

    private mutating func readEntries(from scanner: inout JSONScanner) throws(JSONSyntaxError) {
        var list: [[UInt8]?] = []
        try scanner.readArray { scanner throws(JSONSyntaxError) in
            guard scanner.peek() == UInt8(ascii: "\""), list.count < Self.entriesMax else {
                if list.count < Self.entriesMax { list.append(nil) }
                return try scanner.skipValue()
            }
            list.append(scanner.unescaped(try scanner.readString()))
        }
        entries = list
    }

    /// The three entries of `x5c`: base64 text, nil for an entry that is no string.
    ///
    /// - Throws: `algorithmNotAllowed`, `missingChain` or `chainLength`, in this order.
    func certificateEntries() throws(Rejection) -> [[UInt8]?] {
        guard algorithm == "ES256" else {
            throw Rejection(.algorithmNotAllowed, "The header's alg is not ES256.")
        }
        guard let entries, !entries.isEmpty else {
            throw Rejection(.missingChain, "The header has no certificates (x5c).")
        }
        guard entries.count == 3 else {
            throw Rejection(
                .chainLength,
                "x5c has \(entries.count) entries; the App Store sends leaf, intermediate and root."
            )
        }
        return entries
    }

    /// Whether the document was signed by one certificate alone, as StoreKit Testing in Xcode does.
    var hasSingleCertificate: Bool { entries?.count == 1 }
}
