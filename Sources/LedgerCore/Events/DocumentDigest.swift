/// The first 16 bytes of the SHA-256 of a document's payload bytes: the identity of a document together with its kind
/// and environment (DESIGN invariant 5).
///
/// Two documents with one digest are one document: the store signs them, so nobody can choose a pair that collides.
package struct DocumentDigest: Hashable, Comparable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The number of bytes.
    package static let size = 16

    /// Takes the first 16 bytes of a longer hash, or exactly 16 bytes; nil for fewer.
    package init?(_ bytes: some Sequence<UInt8>) {
        var iterator = bytes.makeIterator()
        func word() -> UInt64? {
            var word: UInt64 = 0
            for _ in 0..<8 {
                guard let byte = iterator.next() else { return nil }
                word = word << 8 | UInt64(byte)
            }
            return word
        }
        guard let high = word(), let low = word() else { return nil }
        self.high = high
        self.low = low
    }

    /// Reads exactly ``size`` bytes, without a copy of them; nil for another number.
    package init?(span: borrowing Span<UInt8>) {
        guard span.count == Self.size else { return nil }
        high = UInt64(bigEndian: unsafe span.bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self))
        low = UInt64(bigEndian: unsafe span.bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    package var bytes: [UInt8] {
        [high, low].flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
