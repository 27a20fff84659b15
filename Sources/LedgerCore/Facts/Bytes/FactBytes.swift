/// Writes facts as bytes: what one table row holds of a line, so that one row answers a question.
///
/// Integers take 1…10 bytes (zigzag, then seven bits a byte, the lowest first). A text is 0, its length and its UTF-8
/// where it is mentioned first, and its number, from 1, where it is mentioned again: a line names its customer, its
/// product and its token in every transaction. What is absent takes a bit in a mask before it.
struct FactWriter {
    private(set) var bytes: [UInt8] = []
    private var numbers: [ExactText: Int64] = [:]

    mutating func integer(_ value: Int64) {
        var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func text(_ value: String) {
        let next = Int64(numbers.count) + 1
        let number = numbers[ExactText(text: value), default: next]
        guard number == next else { return integer(number) }
        numbers[ExactText(text: value)] = next
        integer(0)
        integer(Int64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    /// A value that may be one of a list: its place there, from 1, or 0 and the text that came instead.
    mutating func open<Known: PackedByPlace>(_ value: Open<Known>) {
        switch value {
        case .known(let known): integer(Int64(Known.places.firstIndex(of: known) ?? 0) + 1)
        case .unknown(let text):
            integer(0)
            self.text(text)
        }
    }

    mutating func digest(_ value: DocumentDigest) { bytes.append(contentsOf: value.bytes) }
}

/// A text by its bytes: texts that Unicode holds for equal are different identifiers.
private struct ExactText: Hashable {
    let text: String

    static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        // All bytes in one call: Swift's own texts lie in one piece on Linux.
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
    }
}

/// Reads what ``FactWriter`` wrote, over memory that somebody else owns for as long as the reader lives.
///
/// It traps where the bytes end early: they are the projection's own, and a projection can be folded again.
struct FactReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0
    private var texts: [String] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe self.bytes = bytes
        texts.reserveCapacity(16)
    }

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
        let number = Int(integer())
        guard number == 0 else { return texts[number - 1] }
        let text = unsafe String(decoding: take(Int(integer())), as: UTF8.self)
        texts.append(text)
        return text
    }

    mutating func open<Known: PackedByPlace>() -> Open<Known> {
        let place = Int(integer())
        return place == 0 ? .unknown(text()) : .known(Known.places[place - 1])
    }

    mutating func digest() -> DocumentDigest {
        let digest = unsafe DocumentDigest(span: take(DocumentDigest.size).span)
        guard let digest else { preconditionFailure("a digest has \(DocumentDigest.size) bytes") }
        return digest
    }

    private mutating func take(_ count: Int) -> UnsafeBufferPointer<UInt8> {
        precondition(count >= 0 && offset + count <= bytes.count, "a packed fact ends early")
        defer { offset += count }
        return unsafe UnsafeBufferPointer(rebasing: bytes[offset..<offset + count])
    }
}

/// A list of texts whose known values packed facts hold as a number.
///
/// A new value goes to the end of the list and needs a new form of the bytes, because a fact that held it as an unknown
/// text has other bytes from then on.
protocol PackedByPlace: CaseIterable, RawRepresentable<String>, Hashable, Sendable {
    /// All cases, made once.
    static var places: [Self] { get }
}

extension ProductType: PackedByPlace { static let places = allCases }
extension OwnershipType: PackedByPlace { static let places = allCases }
extension TransactionReason: PackedByPlace { static let places = allCases }
extension RevocationType: PackedByPlace { static let places = allCases }

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
