extension ArraySlice<UInt8> {
    /// Whether both hold the same bytes, compared many at a time.
    ///
    /// `==` compares element by element, which for a notification of 18 kB is seen in a profile.
    package func isEqual(to other: ArraySlice<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right in
                var offset = 0
                while offset + 32 <= left.count {
                    let mine = unsafe left.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
                    let theirs = unsafe right.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
                    guard mine == theirs else { return false }
                    offset += 32
                }
                while offset < left.count {
                    guard unsafe left[offset] == right[offset] else { return false }
                    offset += 1
                }
                return true
            }
        }
    }
}

extension [UInt8] {
    /// Whether both hold the same bytes, compared many at a time.
    package func isEqual(to other: ArraySlice<UInt8>) -> Bool { self[...].isEqual(to: other) }

    /// Whether both hold the same bytes, compared many at a time.
    package func isEqual(to other: [UInt8]) -> Bool { self[...].isEqual(to: other[...]) }
}
