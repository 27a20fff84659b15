import TestSupport
import Testing

@testable import LedgerCore

/// A register's renderings and entries as bytes and back.
@Suite("Registers: packed")
struct PackedRegisterTests {
    private func register(_ bytes: [UInt8]) -> TransactionRegister {
        bytes.withUnsafeBufferPointer { unsafe TransactionRegister(packed: $0) }
    }

    private func entry(_ bytes: [UInt8]) -> RegisterEntry {
        bytes.withUnsafeBufferPointer { unsafe RegisterEntry(packed: $0) }
    }

    @Test(arguments: RegisterPropertyTests.hundreds)
    func `what was packed comes back, and packs to the same bytes`(_ first: UInt64) throws {
        for seed in first..<(first + 100) {
            let known = TransactionRegister(try RandomRenderings(seed: seed).arrivals)
            #expect(register(known.packed) == known, "seed \(seed)")
            #expect(register(known.packed).packed == known.packed, "seed \(seed)")
            for believed in known.entries {
                #expect(entry(believed.packed) == believed, "seed \(seed)")
                #expect(entry(believed.packed).packed == believed.packed, "seed \(seed)")
            }
        }
    }

    @Test func `values that no list knows and the ends of ranges come back`() throws {
        let rendering = try RegisterSample.rendering(
            at: .max,
            signed: 1,
            RegisterSample.revoked(1, "A_NEW_TYPE", percentage: .min, reason: .max).merging([
                "type": "Some-Future-Type", "quantity": .integer(.min), "storefront": "é\u{1F600}",
                "isUpgraded": true, "price": .integer(.max),
            ]) { $1 }
        )
        let known = TransactionRegister([rendering])
        #expect(register(known.packed) == known)
        #expect(!known.entries.isEmpty)
        for believed in known.entries { #expect(entry(believed.packed) == believed) }
    }
}
