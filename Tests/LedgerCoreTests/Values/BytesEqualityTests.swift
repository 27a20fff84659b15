import LedgerCore
import TestSupport
import Testing

@Suite struct BytesEqualityTests {
    @Test(arguments: 0...40)
    func `equal bytes are equal and one changed byte is found, at any length and place`(_ count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        // A slice that does not begin at an aligned address.
        let shifted = [0, 0, 0] + bytes
        #expect(bytes.isEqual(to: shifted[3...]))
        #expect(!bytes.isEqual(to: bytes + [0]))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(!bytes.isEqual(to: changed), "seed \(count), byte \(index)")
        }
    }
}
