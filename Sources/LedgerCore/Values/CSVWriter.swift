/// Writes comma-separated values (RFC 4180), each record ended by CR LF, safe to open in a spreadsheet.
///
/// A text that a spreadsheet would run as a formula gets an apostrophe before it; a number is written as it is.
package struct CSVWriter: Sendable {
    /// What was written so far.
    package private(set) var bytes: [UInt8] = []
    private var isAtStart = true

    /// Nothing yet.
    package init(reservingCapacity capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

    /// Writes a text; nil is an empty field.
    package mutating func text(_ value: String?) {
        let comma = separator()
        guard var value else {
            if let comma { bytes.append(comma) }
            return
        }
        value.withUTF8 { utf8 in
            let beginsFormula = unsafe utf8.first.map(Self.beginsFormula) ?? false
            let needsQuotes = unsafe utf8.contains(where: Self.needsQuotes)
            bytes.append(addingCapacity: utf8.count * (needsQuotes ? 2 : 1) + 4) { span in
                if let comma { span.append(comma) }
                if needsQuotes { span.append(UInt8(ascii: "\"")) }
                if beginsFormula { span.append(UInt8(ascii: "'")) }
                // Nearly every text goes over as it is, in one piece.
                if needsQuotes { unsafe span.append(doublingQuotes: utf8) } else { unsafe span.append(copying: utf8) }
                if needsQuotes { span.append(UInt8(ascii: "\"")) }
            }
        }
    }

    /// Writes a whole number; nil is an empty field.
    package mutating func integer(_ value: Int64?) {
        let comma = separator()
        bytes.append(addingCapacity: Int64.decimalBytesMax + 1) { span in
            if let comma { span.append(comma) }
            if let value { span.appendDecimal(value) }
        }
    }

    /// Writes a moment as RFC 3339; nil is an empty field.
    package mutating func instant(_ value: Instant?) {
        let comma = separator()
        bytes.append(addingCapacity: Instant.rfc3339BytesMax + 1) { span in
            if let comma { span.append(comma) }
            value?.appendRFC3339(to: &span)
        }
    }

    /// Ends the record.
    package mutating func endRecord() {
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        isAtStart = true
    }

    /// The comma before a field; nil before the first of a record.
    private mutating func separator() -> UInt8? {
        defer { isAtStart = false }
        return isAtStart ? nil : UInt8(ascii: ",")
    }

    /// What a formula can begin with: `=`, `+`, `-`, `@`, a tab, a carriage return (OWASP, "CSV Injection").
    private static func beginsFormula(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "\t"),
            UInt8(ascii: "\r"):
            true
        default: false
        }
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a text with each quotation mark twice; there is room for two bytes each.
    fileprivate mutating func append(doublingQuotes utf8: UnsafeBufferPointer<UInt8>) {
        for byte in unsafe utf8 {
            if byte == UInt8(ascii: "\"") { append(byte) }
            append(byte)
        }
    }
}
