/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators"): its whole state is one number, so
/// that each customer has a generator of its own and the same seed makes the same load.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The generator of one of many streams under a seed.
    init(seed: UInt64, stream: UInt64) {
        var first = SplitMix64(seed: seed)
        var second = SplitMix64(seed: first.next() ^ stream)
        state = second.next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A random UUID (RFC 9562, version 4), in lower case.
    mutating func nextUUID() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = Self.hexadecimal(high) + Self.hexadecimal(low)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func hexadecimal(_ word: UInt64) -> [UInt8] {
        stride(from: 60, through: 0, by: -4).map { shift in
            let digit = UInt8(word >> UInt64(shift) & 15)
            return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
    }
}
