/// A UUID as PostgreSQL keeps it: 16 bytes, most significant first.
package struct PostgresUUID: Hashable, Sendable, Comparable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The UUID of 16 bytes; nil for another number of bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The UUID of 36 characters, `8-4-4-4-12` in hexadecimal digits of either case; nil for anything else.
    package init?(text: String) {
        var text = text
        let halves = text.withUTF8 { unsafe Self.halves($0) }
        guard let halves else { return nil }
        (high, low) = halves
    }

    private static func halves(_ text: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt64)? {
        guard text.count == 36 else { return nil }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        for index in 0..<36 {
            let byte = unsafe text[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = digit(byte) else { return nil }
            if index < 18 { halves.high = halves.high << 4 | digit } else { halves.low = halves.low << 4 | digit }
        }
        return halves
    }

    /// The 16 bytes.
    package var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) }
            + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
    }

    package static func < (left: PostgresUUID, right: PostgresUUID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension PostgresUUID: CustomStringConvertible {
    /// 36 characters in lower case, as PostgreSQL prints it.
    package var description: String {
        let digits: [UInt8] = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
