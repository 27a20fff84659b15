extension NotificationDocument {
    /// `data.status` of a payload, without decoding the rest of it: all that facts need of a notification.
    ///
    /// nil where the document would have none, and where the payload isn't a JSON object.
    package static func status(inPayload payload: [UInt8]) -> Open<SubscriptionStatus>? {
        var scanner = JSONScanner(payload)
        var status: Int64?
        do throws(JSONSyntaxError) {
            try scanner.readObject { scanner, name throws(JSONSyntaxError) in
                guard scanner.holds("data", at: name) else { return try scanner.skipValue() }
                // Of a name that comes twice the last value counts.
                status = try readStatus(from: &scanner)
            }
            try scanner.finish()
        } catch { return nil }
        return status.map(Open.init(rawValue:))
    }

    private static func readStatus(from scanner: inout JSONScanner) throws(JSONSyntaxError) -> Int64? {
        guard scanner.peek() == UInt8(ascii: "{") else {
            try scanner.skipValue()
            return nil
        }
        var status: Int64?
        try scanner.readObject { scanner, name throws(JSONSyntaxError) in
            guard scanner.holds("status", at: name) else { return try scanner.skipValue() }
            switch scanner.peek() {
            case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
                let number = try scanner.readNumber()
                status = number.isWrittenWhole ? number.integer : nil
            default:
                status = nil
                try scanner.skipValue()
            }
        }
        return status
    }
}
