/// Base64 over bytes, strictly: one text for one value.
///
/// Line breaks, blanks, characters of the other alphabet, wrong padding and unused bits that are not zero are refused.
/// The lenient readers among Apple's libraries skip some of these; no document that the App Store signs has them.
package enum Base64 {
    /// The two alphabets, which differ in their last two characters and in padding.
    package enum Variant: Sendable {
        /// `+` and `/`, padded: certificates in `x5c` (RFC 7515, section 4.1.6).
        case standard
        /// `-` and `_`, without padding: the segments of a JWS (RFC 7515, section 2).
        case url
    }

    /// The bytes that the text stands for, or nil when it is not base64 of this variant.
    package static func decode(_ text: ArraySlice<UInt8>, _ variant: Variant) -> [UInt8]? {
        var text = text
        if variant == .standard {
            guard text.count.isMultiple(of: 4) else { return nil }
            for _ in 0..<2 where text.last == UInt8(ascii: "=") { text.removeLast() }
        }
        let rest = text.count % 4
        guard rest != 1 else { return nil }
        let values = variant == .url ? urlValues : standardValues
        var isValid = false
        let capacity = text.count / 4 * 3 + (rest == 0 ? 0 : rest - 1)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            isValid = unsafe text.withUnsafeBufferPointer { input in
                unsafe values.withUnsafeBufferPointer { values in unsafe decode(input, values, into: output) }
            }
            count = capacity
        }
        return isValid ? bytes : nil
    }

    /// Four characters are three bytes; invalid characters are collected and judged once, so that the loop has no
    /// branches (14 kB in 4 µs).
    private static func decode(
        _ input: UnsafeBufferPointer<UInt8>,
        _ values: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        var wrong: UInt8 = 0
        var read = 0
        var write = 0
        func value(_ index: Int) -> UInt32 {
            let value = unsafe values[Int(input[index])]
            wrong |= value
            return UInt32(value)
        }
        while read + 4 <= input.count {
            let bits = value(read) << 18 | value(read + 1) << 12 | value(read + 2) << 6 | value(read + 3)
            unsafe output[write] = UInt8(truncatingIfNeeded: bits >> 16)
            unsafe output[write + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            unsafe output[write + 2] = UInt8(truncatingIfNeeded: bits)
            read += 4
            write += 3
        }
        let rest = input.count - read
        if rest > 0 {
            let bits = value(read) << 18 | value(read + 1) << 12 | (rest == 3 ? value(read + 2) << 6 : 0)
            unsafe output[write] = UInt8(truncatingIfNeeded: bits >> 16)
            if rest == 3 { unsafe output[write + 1] = UInt8(truncatingIfNeeded: bits >> 8) }
            let unused = rest == 3 ? bits & 0xC0 : bits & 0xF000
            if unused != 0 { return false }
        }
        return wrong < 0x80
    }

    /// Text for these bytes.
    package static func encode(_ bytes: [UInt8], _ variant: Variant) -> [UInt8] {
        let rest = bytes.count % 3
        let padding = variant == .standard && rest > 0 ? 3 - rest : 0
        let capacity = bytes.count / 3 * 4 + (rest == 0 ? 0 : rest + 1) + padding
        let alphabet = variant == .url ? urlAlphabet : standardAlphabet
        return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe alphabet.withUnsafeBufferPointer { unsafe encode(input, $0, into: output) }
            }
            for index in capacity - padding..<capacity { unsafe output[index] = UInt8(ascii: "=") }
            count = capacity
        }
    }

    /// Three bytes are four characters; what is left over gets as many as it needs, unused bits zero.
    private static func encode(
        _ input: UnsafeBufferPointer<UInt8>,
        _ alphabet: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) {
        var read = 0
        var write = 0
        while read + 3 <= input.count {
            let bits = unsafe UInt32(input[read]) << 16 | UInt32(input[read + 1]) << 8 | UInt32(input[read + 2])
            unsafe output[write] = alphabet[Int(bits >> 18)]
            unsafe output[write + 1] = alphabet[Int(bits >> 12 & 63)]
            unsafe output[write + 2] = alphabet[Int(bits >> 6 & 63)]
            unsafe output[write + 3] = alphabet[Int(bits & 63)]
            read += 3
            write += 4
        }
        let rest = input.count - read
        guard rest > 0 else { return }
        let bits = unsafe UInt32(input[read]) << 16 | (rest == 2 ? UInt32(input[read + 1]) << 8 : 0)
        unsafe output[write] = alphabet[Int(bits >> 18)]
        unsafe output[write + 1] = alphabet[Int(bits >> 12 & 63)]
        if rest == 2 { unsafe output[write + 2] = alphabet[Int(bits >> 6 & 63)] }
    }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let standardAlphabet = letters + Array("+/".utf8)
    private static let urlAlphabet = letters + Array("-_".utf8)
    private static let standardValues = values(of: standardAlphabet)
    private static let urlValues = values(of: urlAlphabet)

    /// The value of each of the 256 bytes; 0xFF for one that is not in the alphabet.
    private static func values(of alphabet: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }
}
