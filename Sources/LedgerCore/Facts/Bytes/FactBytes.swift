/// Writes facts as bytes: what one table row holds of a line, so that one row answers a question.
///
/// Integers take 1…10 bytes (zigzag, then seven bits a byte, the lowest first); a text is its length and its UTF-8;
/// what is absent takes a bit in a mask before it.
struct FactWriter {
    private(set) var bytes: [UInt8] = []

    mutating func integer(_ value: Int64) {
        var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func text(_ value: String) {
        integer(Int64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    mutating func append(_ other: FactWriter) { bytes.append(contentsOf: other.bytes) }

    mutating func digest(_ value: DocumentDigest) { bytes.append(contentsOf: value.bytes) }
}

/// Reads what ``FactWriter`` wrote, over memory that somebody else owns for as long as the reader lives.
///
/// It traps where the bytes end early: they are the projection's own, and a projection can be folded again.
struct FactReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = bytes }

    mutating func integer() -> Int64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = unsafe bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
            precondition(shift < 64, "an integer of a packed fact is too long")
        }
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func text() -> String {
        let count = Int(integer())
        precondition(count >= 0 && offset + count <= bytes.count, "a text of a packed fact is too long")
        defer { offset += count }
        return unsafe String(decoding: UnsafeBufferPointer(rebasing: bytes[offset..<offset + count]), as: UTF8.self)
    }

    mutating func digest() -> DocumentDigest {
        precondition(offset + DocumentDigest.size <= bytes.count, "a packed fact ends early")
        defer { offset += DocumentDigest.size }
        guard let digest = unsafe DocumentDigest(bytes[offset..<offset + DocumentDigest.size]) else {
            preconditionFailure("a digest has \(DocumentDigest.size) bytes")
        }
        return digest
    }
}

/// Which of a fact's members are there, one bit each, in the order in which they are written.
struct Presence {
    private(set) var bits: Int64 = 0
    private var next = 0

    init() {}
    init(bits: Int64) { self.bits = bits }

    mutating func note(_ isPresent: Bool) {
        if isPresent { bits |= 1 << next }
        next += 1
    }

    mutating func take() -> Bool {
        defer { next += 1 }
        return bits >> next & 1 == 1
    }
}
