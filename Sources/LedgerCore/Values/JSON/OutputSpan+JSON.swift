extension OutputSpan<UInt8> {
    /// Appends bytes as they are; there is room for them.
    mutating func append(copying source: UnsafeBufferPointer<UInt8>) {
        guard let start = source.baseAddress else { return }
        withUnsafeMutableBufferPointer { buffer, count in
            guard let room = buffer.baseAddress, buffer.count - count >= source.count else {
                preconditionFailure("there is no room for a text")
            }
            unsafe (room + count).update(from: start, count: source.count)
            count += source.count
        }
    }

    /// Appends the bytes of a JSON string, escaped (RFC 8259 section 7): quotation mark, reverse solidus and the control
    /// characters, nothing else; there is room for six bytes each.
    mutating func append(escaping source: UnsafeBufferPointer<UInt8>) {
        for byte in unsafe source { append(escaping: byte) }
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append(escape: UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): append(escape: UInt8(ascii: "\\"))
        case 0x0A: append(escape: UInt8(ascii: "n"))
        case 0x0D: append(escape: UInt8(ascii: "r"))
        case 0x09: append(escape: UInt8(ascii: "t"))
        case 0..<0x20:
            append(escape: UInt8(ascii: "u"))
            append(UInt8(ascii: "0"))
            append(UInt8(ascii: "0"))
            append(Self.hexadecimalDigit(byte >> 4))
            append(Self.hexadecimalDigit(byte & 15))
        default: append(byte)
        }
    }

    private mutating func append(escape letter: UInt8) {
        append(UInt8(ascii: "\\"))
        append(letter)
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
