internal import LedgerCore

/// The bodies of a file that `sign` has made, with what a check needs to know of each.
struct NotificationLines {
    let bodies: MappedLines
    /// 36 bytes of each body's notificationUUID, one after the other.
    private var identifiers: [UInt8] = []
    /// How many documents each brings: itself and those inside.
    private var documents: [UInt8] = []

    private static let identifierBytes = 36

    init(path: String) throws(BenchError) {
        bodies = try MappedLines(path: path)
        for line in 0..<bodies.count {
            let payload = try Self.payload(of: bodies[line], path: path)
            let content = try Self.content(of: payload, path: path)
            guard content.identifier.count == Self.identifierBytes else {
                throw .badFile(path: path, problem: "line \(line + 1) has no notificationUUID")
            }
            identifiers += content.identifier
            documents.append(content.documents)
        }
    }

    var count: Int { bodies.count }

    func identifier(_ line: Int) -> ArraySlice<UInt8> {
        identifiers[line * Self.identifierBytes..<(line + 1) * Self.identifierBytes]
    }

    /// Itself and the documents inside.
    func documentCount(_ line: Int) -> Int { Int(documents[line]) }

    /// The decoded payload of the outer document.
    private static func payload(of body: [UInt8], path: String) throws(BenchError) -> [UInt8] {
        let parts = body.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.decode(parts[1], .url) else {
            throw .badFile(path: path, problem: "a line is not a notification")
        }
        return payload
    }

    private static func content(
        of payload: [UInt8],
        path: String
    ) throws(BenchError) -> (identifier: [UInt8], documents: UInt8) {
        var identifier: [UInt8] = []
        var documents: UInt8 = 1
        var scanner = JSONScanner(payload)
        do throws(JSONSyntaxError) {
            try scanner.readObject { scanner, name throws(JSONSyntaxError) in
                if scanner.holds("notificationUUID", at: name) {
                    identifier = scanner.unescaped(try scanner.readString())
                } else if scanner.holds("data", at: name) {
                    try scanner.readObject { scanner, name throws(JSONSyntaxError) in
                        let isDocument =
                            scanner.holds("signedTransactionInfo", at: name)
                            || scanner.holds("signedRenewalInfo", at: name)
                        if isDocument { documents += 1 }
                        try scanner.skipValue()
                    }
                } else {
                    try scanner.skipValue()
                }
            }
        } catch { throw .badFile(path: path, problem: "a payload is not JSON: \(error)") }
        return (identifier, documents)
    }
}
