import TestSupport
import Testing

@testable import LedgerCore

/// Units to take back: one row per entry, in differences of rounded totals, against what was used (DESIGN section 5).
@Suite("Registers: clawbacks")
struct ClawbackTests {
    private typealias Sample = RegisterSample
    private typealias Changes = [String: Payload.Value?]

    private func catalog(_ rounding: UnitRounding = .down, units: Int64 = 500) -> Catalog {
        Catalog(products: [
            ProductID(rawValue: "com.example.coins"): CatalogProduct(unit: "coins", units: units, rounding: rounding)
        ])
    }

    /// The clawbacks of a transaction of which so many units were used.
    private func rows(_ register: TransactionRegister, _ catalog: Catalog, used: Int128 = 0) -> [Clawback] {
        Clawback.rows(of: register.entries, catalog: { _ in catalog }, used: { _, _ in used })
    }

    /// One transaction whose renderings are signed on the days from 1 up.
    private func register(_ id: String = "1", _ renderings: Changes...) throws -> TransactionRegister {
        TransactionRegister(
            try renderings.enumerated().map { index, changes in
                let changes = changes.merging(["transactionId": .text(id)]) { $1 }
                return try Sample.rendering(at: Int64(index + 1), signed: Double(index + 1), changes)
            }
        )
    }

    private func prorated(_ percentage: Int64, quantity: Int64 = 1) -> Changes {
        Sample.revoked(1, "REFUND_PRORATED", percentage: percentage)
            .merging(["quantity": .integer(quantity)]) { $1 }
    }

    private func told(_ clawbacks: [Clawback]) -> [[Int64]] {
        clawbacks.map { row in
            [
                row.percentage?.rawValue ?? -1, row.units?.toRecover ?? 0, row.units?.recovered ?? 0,
                row.units?.owed ?? 0,
            ]
        }
    }

    @Test func `40 percent of five pieces are two`() throws {
        let register = try register("1", prorated(40_000, quantity: 5))
        let rows = rows(register, catalog(units: 1))
        #expect(told(rows) == [[40_000, 2, 2, 0]])
        #expect(rows[0].units?.granted == 5 && rows[0].units?.unit == "coins" && rows[0].units?.rounding == .down)
    }

    @Test(arguments: [(UnitRounding.down, [0, 1, -1]), (.up, [1, 1, -2]), (.nearest, [1, 0, -1])])
    func `rows are differences of totals rounded by the catalog`(_ rounding: UnitRounding, _ units: [Int64]) throws {
        // Totals of one piece of 2 units: 33.333 % is 0.67, 66.667 % is 1.33.
        let register = try register("1", prorated(33_333), prorated(66_667), [:])
        let rows = rows(register, catalog(rounding, units: 2))
        #expect(rows.map { $0.units?.toRecover } == units)
        #expect(rows.map(\.percentage) == [Percentage(33_333), Percentage(66_667), Percentage(0)])
    }

    @Test func `what was used is owed, and a reversal gives back what was taken`() throws {
        let register = try register("1", prorated(40_000), prorated(100_000), [:])
        let rows = rows(register, catalog(), used: 350)
        // 150 of 500 are left: the first 200 find 150 of them, the next 300 none.
        #expect(told(rows) == [[40_000, 200, 150, 50], [100_000, 300, 0, 300], [0, -500, -150, -350]])
        let totals = ClawbackTotal.byUnit(rows.prefix(2))
        #expect(totals == [ClawbackTotal(unit: "coins", toRecover: 500, recovered: 150, owed: 350)])
    }

    @Test func `each entry is judged by the catalog of its time`() throws {
        let register = try register("1", prorated(40_000), prorated(100_000), [:])
        let second = try #require(register.entries.dropFirst().first).statement.signedAt
        let rows = Clawback.rows(
            of: register.entries,
            catalog: { $0.statement.signedAt < second ? catalog() : catalog(units: 700) },
            used: { _, catalog in catalog == self.catalog() ? 350 : 0 }
        )
        #expect(told(rows) == [[40_000, 200, 150, 50], [100_000, 500, 550, -50], [0, -700, -700, 0]])
        #expect(rows.map { $0.units?.granted } == [500, 700, 700])
    }

    @Test func `more used than granted is owed only as far as it is taken back`() throws {
        let rows = rows(try register("1", prorated(100_000)), catalog(), used: 9000)
        #expect(told(rows) == [[100_000, 500, 0, 500]])
    }

    @Test func `other products lose access, and show the percentage`() throws {
        let changes = prorated(60_000).merging(["type": "Non-Consumable"]) { $1 }
        let rows = rows(try register("1", changes), .empty)
        #expect(rows.map(\.percentage) == [Percentage(60_000)] && rows.map(\.units) == [nil])
        #expect(ClawbackTotal.byUnit(rows) == [])
    }

    @Test(arguments: [
        Sample.revoked(1, reason: 7), Sample.revoked(1, "REFUND_PRORATED", percentage: 250_000),
        Sample.revoked(1, "NEW"),
    ])
    func `nothing is taken automatically where the document does not tell`(_ changes: [String: Payload.Value?]) throws {
        let rows = rows(try register("1", changes), catalog())
        #expect(rows.map { $0.units?.toRecover } == [0])
    }

    @Test func `a revocation without money is no clawback`() throws {
        let family = Sample.revoked(1, "FAMILY_REVOKE")
        #expect(rows(try register("1", family), catalog()) == [])
    }

    @Test(arguments: Array(stride(from: UInt64(0), to: 600, by: 100)))
    func `rows of random customers add up to the balance that the entitlements show`(_ first: UInt64) throws {
        for seed in first..<(first + 100) {
            var random = SeededGenerator(seed: seed)
            let registers = try (UInt64(0)..<3).map { index in
                let arrivals = try RandomRenderings(seed: seed * 3 + index).arrivals
                return TransactionRegister(
                    arrivals.map { rendering in
                        var rendering = rendering
                        rendering.fact.transactionID = TransactionID(rawValue: "\(index)")
                        return rendering
                    }
                )
            }
            let catalog = catalog(
                [.down, .up, .nearest][Int(seed % 3)],
                units: Int64.random(in: 1...7, using: &random)
            )
            let facts = LineFacts(registers.compactMap { $0.renderings.last?.fact })
            let amount = Int64.random(in: 1...20, using: &random)
            let usage = try Usage(
                holder: .originalTransactionID(facts.line.originalTransactionID),
                unit: "coins",
                amount: amount,
                idempotencyKey: IdempotencyKey(rawValue: "a")
            )
            let account = UsageAccount(
                usages: [UsageFact(usage, usedAt: .day(0), position: Position(1))],
                lines: [facts]
            )
            let customer = CustomerFacts(lines: [facts], usage: seed % 4 == 0 ? nil : account)
            let used = customer.usage.map { UsageSpread($0, catalog: catalog, at: .day(99)).used } ?? [:]
            let rows = registers.flatMap { register in
                Clawback.rows(
                    of: register.entries,
                    catalog: { _ in catalog },
                    used: { entry, _ in used[entry.subject.transactionID] ?? 0 }
                )
            }
            let set = EntitlementEvaluator.evaluate(customer, catalog: catalog, at: .day(99))
            let balance = set.balances.first
            let total = ClawbackTotal.byUnit(rows).first ?? ClawbackTotal(unit: "coins")
            #expect(total.toRecover == Int128(balance?.clawedBack ?? 0), "seed \(seed)")
            #expect(total.owed == Int128(balance?.owed ?? 0), "seed \(seed)")
            #expect(total.recovered + total.owed == total.toRecover, "seed \(seed)")
            #expect(balance?.used ?? 0 == (customer.usage == nil ? 0 : amount), "seed \(seed)")
            let perEntry = registers.flatMap(\.entries).filter(\.isAboutMoney).count
            #expect(rows.filter(\.entry.isAboutMoney).count == perEntry, "seed \(seed)")
        }
    }
}
