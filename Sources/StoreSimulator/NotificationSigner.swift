package import JWS
package import LedgerCore

/// Makes signed notifications of decoded ones: inside `data` and `appData` the objects `transactionInfo`,
/// `renewalInfo` and `appTransactionInfo` are signed and stand under `signedTransactionInfo` and so on; then the body
/// itself is signed.
///
/// It works on the bytes of the JSON, so that numbers, unknown members and their order stay as they were given.
package struct NotificationSigner: Sendable {
    package let signer: DocumentSigner

    package init(signer: DocumentSigner) { self.signer = signer }

    /// The signed payload of a decoded notification.
    ///
    /// - Throws: ``NotificationSignerError`` when the body is not JSON, or signing fails.
    package func sign(
        _ body: [UInt8],
        tampering: Tampering? = nil
    ) throws(NotificationSignerError) -> [UInt8] {
        let objects: [InnerObject]
        do throws(JSONSyntaxError) {
            objects = try Self.innerObjects(in: body)
        } catch { throw .notJSON(error) }
        do throws(SigningError) {
            var payload: [UInt8] = []
            var copied = 0
            for object in objects {
                payload += body[copied..<object.nameRange.lowerBound]
                payload += "\(object.signedName)\":\"".utf8
                payload += try sign(Self.compact(body[object.valueRange]), as: object.target, tampering)
                payload.append(UInt8(ascii: "\""))
                copied = object.valueRange.upperBound
            }
            payload += body[copied...]
            return try sign(Self.compact(payload[...]), as: .outer, tampering)
        } catch { throw .signing(error) }
    }

    private func sign(
        _ payload: [UInt8],
        as target: Tampering.Target,
        _ tampering: Tampering?
    ) throws(SigningError) -> [UInt8] {
        guard let tampering, tampering.target == target else { return try signer.sign(payload) }
        return try signer.sign(payload, tampering: tampering)
    }

    /// A decoded document inside a notification: where its name (without the opening quotation mark) and value stand.
    private struct InnerObject {
        let target: Tampering.Target
        let signedName: StaticString
        let nameRange: Range<Int>
        let valueRange: Range<Int>
    }

    private static let innerNames: [(name: StaticString, signedName: StaticString, target: Tampering.Target)] = [
        ("transactionInfo", "signedTransactionInfo", .transactionInfo),
        ("renewalInfo", "signedRenewalInfo", .renewalInfo),
        ("appTransactionInfo", "signedAppTransactionInfo", .appTransactionInfo),
    ]

    private static func innerObjects(in body: [UInt8]) throws(JSONSyntaxError) -> [InnerObject] {
        var objects: [InnerObject] = []
        var scanner = JSONScanner(body)
        try scanner.readObject { scanner, part throws(JSONSyntaxError) in
            guard scanner.holds("data", at: part) || scanner.holds("appData", at: part),
                scanner.peek() == UInt8(ascii: "{")
            else { return try scanner.skipValue() }
            try scanner.readObject { scanner, name throws(JSONSyntaxError) in
                _ = scanner.peek()  // stands on the value now
                let start = scanner.offset
                try scanner.skipValue()
                guard let match = innerNames.first(where: { scanner.holds($0.name, at: name) }) else { return }
                objects.append(
                    InnerObject(
                        target: match.target,
                        signedName: match.signedName,
                        nameRange: name.range,
                        valueRange: start..<scanner.offset
                    )
                )
            }
        }
        try scanner.finish()
        return objects
    }

    /// JSON without white space between its tokens, as the App Store writes it.
    package static func compact(_ json: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        var isInString = false
        var isEscaped = false
        for byte in json {
            if !isInString, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { continue }
            result.append(byte)
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return result
    }
}

/// Why a notification can't be signed.
package enum NotificationSignerError: Error, Hashable, Sendable, CustomStringConvertible {
    case notJSON(JSONSyntaxError)
    case signing(SigningError)

    package var description: String {
        switch self {
        case .notJSON(let error): "The notification is not a JSON object: \(error)."
        case .signing(let error): error.description
        }
    }
}
