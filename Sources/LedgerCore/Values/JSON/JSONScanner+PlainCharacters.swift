extension JSONScanner {
    /// Moves past the characters of a string that stand for themselves, and tells whether they are all ASCII.
    ///
    /// It stops at a quotation mark, a reverse solidus, a control character, or the end of the text.
    @discardableResult
    mutating func skipPlainCharacters() -> Bool {
        let (end, isASCII) = Self.endOfPlainCharacters(in: bytes.span, from: offset)
        offset = end
        return isASCII
    }

    /// Eight bytes at a time, because the documents inside a notification are texts of many thousand.
    private static func endOfPlainCharacters(in text: Span<UInt8>, from start: Int) -> (end: Int, isASCII: Bool) {
        var end = start
        var bits: UInt64 = 0
        while end + 8 <= text.count {
            let block = UInt64(
                littleEndian: unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: end, as: UInt64.self)
            )
            let marks = block.marksOfSpecialCharacters
            guard marks == 0 else {
                let plainBits = UInt64(marks.trailingZeroBitCount & ~7)
                bits |= block & ((1 << plainBits) - 1)
                return (end + Int(plainBits / 8), bits & .highBits == 0)
            }
            bits |= block
            end += 8
        }
        while end < text.count {
            let byte = text[end]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            bits |= UInt64(byte)
            end += 1
        }
        return (end, bits & .highBits == 0)
    }
}

/// Questions to the eight bytes of a word; a subtraction borrows into the high bit of a byte that is too small.
///
/// The borrow may go on into the bytes above, so only the lowest mark is certain, and none means none.
extension UInt64 {
    fileprivate static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// The high bit of the first byte that ends a run of plain characters (and some above it); 0 when there is none.
    fileprivate var marksOfSpecialCharacters: UInt64 {
        marks(of: UInt8(ascii: "\"")) | marks(of: UInt8(ascii: "\\")) | marksBelow0x20
    }

    private func marks(of byte: UInt8) -> UInt64 {
        let difference = self ^ (Self.ones &* UInt64(byte))
        return (difference &- Self.ones) & ~difference & Self.highBits
    }

    private var marksBelow0x20: UInt64 { (self &- Self.ones &* 0x20) & ~self & Self.highBits }
}
