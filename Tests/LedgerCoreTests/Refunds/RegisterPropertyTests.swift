import Foundation
import TestSupport
import Testing

@testable import LedgerCore

/// DESIGN section 5 over 2,000 random histories: the register is a function of the set of renderings, and what was
/// believed at a position adds up to the state known at that position.
@Suite("Registers: random histories")
struct RegisterPropertyTests {
    /// Twenty ranges of a hundred seeds, so that a failure names its range and, in its message, its seed.
    static let hundreds = Array(stride(from: UInt64(0), to: 2000, by: 100))

    private func forEachSeed(of first: UInt64, _ body: (UInt64, [RegisterRendering]) throws -> Void) throws {
        for seed in first..<(first + 100) { try body(seed, try RandomRenderings(seed: seed).arrivals) }
    }

    @Test(arguments: hundreds)
    func `any order of arrival gives the same entries`(_ first: UInt64) throws {
        try forEachSeed(of: first) { seed, arrivals in
            let expected = TransactionRegister(arrivals)
            var random = SeededGenerator(seed: seed)
            for _ in 0..<4 {
                let shuffled = arrivals.shuffled(using: &random)
                #expect(TransactionRegister(shuffled) == expected, "seed \(seed)")
                // Now as if they had been recorded in this order.
                let positions = arrivals.map(\.position).sorted()
                let recorded = zip(shuffled, positions).map { rendering, position in
                    var rendering = rendering
                    rendering.fact.rendering.position = position
                    return rendering
                }
                var register = TransactionRegister()
                for rendering in recorded { _ = register.take(rendering) }
                let entries = register.entries.map(\.withoutDiscovery)
                #expect(entries == expected.entries.map(\.withoutDiscovery), "seed \(seed)")
            }
        }
    }

    @Test(arguments: hundreds)
    func `what was believed at each position is what a naive table of the renderings known by then says`(
        _ first: UInt64
    ) throws {
        try forEachSeed(of: first) { seed, arrivals in
            let rows = BelievedRegister(of: arrivals)
            for last in (0...(arrivals.last?.position.rawValue ?? 0) + 1).map({ Position($0) }) {
                let known = arrivals.filter { $0.position <= last }
                let believed = rows.entries(knownAt: last)
                #expect(Set(believed) == Set(TransactionRegister(known).entries), "seed \(seed), position \(last)")
                #expect(Set(believed.map(\.id)).count == believed.count, "seed \(seed), position \(last)")
                #expect(Set(believed.map(NaiveRegister.Row.init)) == Set(NaiveRegister(known).rows), "seed \(seed)")
            }
        }
    }

    @Test(arguments: hundreds)
    func `the rows believed at each position add up to the state known at it`(_ first: UInt64) throws {
        try forEachSeed(of: first) { seed, arrivals in
            let rows = BelievedRegister(of: arrivals)
            for last in arrivals.map(\.position) {
                let known = arrivals.filter { $0.position <= last }
                let believed = rows.entries(knownAt: last)
                switch TransactionRegister(known).refunded {
                case .nothing: #expect(believed.sums == [:], "seed \(seed), position \(last)")
                case .known(let money):
                    let sum = money.amount.rawValue == 0 ? [:] : [money.currency: Int128(money.amount.rawValue)]
                    #expect(believed.sums == sum, "seed \(seed), position \(last)")
                    #expect(NaiveRegister(known).total == Decimal(money.amount.rawValue), "seed \(seed)")
                case .unknown:
                    #expect(believed.contains { $0.isOfUnknownAmount }, "seed \(seed), position \(last)")
                    #expect(NaiveRegister(known).total == nil, "seed \(seed), position \(last)")
                }
            }
        }
    }

    @Test(arguments: hundreds)
    func `a change closes what was believed, opens what was not, and keeps the rest`(_ first: UInt64) throws {
        try forEachSeed(of: first) { seed, arrivals in
            var register = TransactionRegister()
            var totals = RegisterTotals()
            for rendering in arrivals {
                let before = Set(register.entries)
                let change = register.take(rendering)
                let after = Set(register.entries)
                #expect(change.position == rendering.position)
                #expect(Set(change.closed) == before.subtracting(after), "seed \(seed)")
                #expect(Set(change.opened) == after.subtracting(before), "seed \(seed)")
                for entry in change.closed { totals.remove(entry) }
                for entry in change.opened { totals.add(entry) }
                #expect(totals == RegisterTotals(register.entries), "seed \(seed)")
            }
        }
    }

    @Test(arguments: hundreds)
    func `refunds and the rest are all revocations`(_ first: UInt64) throws {
        var registers: [TransactionRegister] = []
        try forEachSeed(of: first) { seed, arrivals in
            for count in 1...arrivals.count { registers.append(TransactionRegister(arrivals.prefix(count))) }
        }
        let partition = RevocationPartition(registers)
        let stated = registers.filter { register in
            register.renderings.last.map { $0.fact.revocationDate != nil || $0.items != nil } ?? false
        }
        #expect(partition.revoked == stated.count)
        #expect(partition.isWhole, "seeds from \(first): \(partition)")
    }

    @Test func `the histories hold every kind, class, basis and flag`() throws {
        var entries: [RegisterEntry] = []
        for first in Self.hundreds {
            try forEachSeed(of: first) { entries += TransactionRegister($1).entries }
        }
        #expect(Set(entries.map(\.kind)) == Set(RegisterEntry.Kind.allCases))
        #expect(Set(entries.compactMap(\.revocationClass)) == Set(RevocationClass.allCases))
        #expect(Set(entries.compactMap(\.basis)) == Set(AmountBasis.allCases))
        #expect(Set(entries.flatMap(\.flags)) == Set(RegisterFlag.allCases))
    }
}
