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
        separate()
        guard let value else { return }
        var utf8 = Array(value.utf8)
        if let first = utf8.first, Self.formulaStarts.contains(first) { utf8.insert(UInt8(ascii: "'"), at: 0) }
        guard utf8.contains(where: Self.needsQuotes.contains) else { return bytes += utf8 }
        bytes.append(UInt8(ascii: "\""))
        for byte in utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a whole number; nil is an empty field.
    package mutating func integer(_ value: Int64?) {
        separate()
        if let value { bytes += "\(value)".utf8 }
    }

    /// Ends the record.
    package mutating func endRecord() {
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        isAtStart = true
    }

    private mutating func separate() {
        if !isAtStart { bytes.append(UInt8(ascii: ",")) }
        isAtStart = false
    }

    /// What a formula can begin with: `=`, `+`, `-`, `@`, a tab, a carriage return (OWASP, "CSV Injection").
    private static let formulaStarts = Set("=+-@\t\r".utf8)
    private static let needsQuotes = Set(",\"\r\n".utf8)
}
