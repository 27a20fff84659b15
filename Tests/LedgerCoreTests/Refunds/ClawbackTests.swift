import TestSupport
import Testing

@testable import LedgerCore

/// Units to take back: one row per entry, in differences of rounded totals, against what was used (DESIGN section 5).
@Suite("Registers: clawbacks")
struct ClawbackTests {
    private typealias Sample = RegisterSample
    private typealias Changes = [String: Payload.Value?]

    private let customer = CustomerKey.appTransactionID(AppTransactionID(rawValue: "7"))

    private func catalog(_ rounding: UnitRounding = .down, units: Int64 = 500) -> Catalog {
        Catalog(products: [
            ProductID(rawValue: "com.example.coins"): CatalogProduct(unit: "coins", units: units, rounding: rounding)
        ])
    }

    private func used(_ amount: Int64) throws -> UsageTally {
        var tally = UsageTally()
        guard amount > 0 else { return tally }
        _ = tally.take(try Usage(customer: customer, unit: "coins", amount: amount, idempotencyKey: "a"))
        return tally
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
        let rows = ClawbackAccount.clawbacks(of: [register], catalog: catalog(units: 1), usage: UsageTally())
        #expect(told(rows) == [[40_000, 2, 2, 0]])
        #expect(rows[0].units?.granted == 5 && rows[0].units?.unit == "coins" && rows[0].units?.rounding == .down)
    }

    @Test(arguments: [(UnitRounding.down, [0, 1, -1]), (.up, [1, 1, -2]), (.nearest, [1, 0, -1])])
    func `rows are differences of totals rounded by the catalog`(_ rounding: UnitRounding, _ units: [Int64]) throws {
        // Totals of one piece of 2 units: 33.333 % is 0.67, 66.667 % is 1.33.
        let register = try register("1", prorated(33_333), prorated(66_667), [:])
        let catalog = catalog(rounding, units: 2)
        let rows = ClawbackAccount.clawbacks(of: [register], catalog: catalog, usage: UsageTally())
        #expect(rows.map { $0.units?.toRecover } == units)
        #expect(rows.map(\.percentage) == [Percentage(33_333), Percentage(66_667), Percentage(0)])
    }

    @Test func `what was used is owed, and a reversal gives back what was taken`() throws {
        let register = try register("1", prorated(40_000), prorated(100_000), [:])
        let rows = ClawbackAccount.clawbacks(of: [register], catalog: catalog(), usage: try used(350))
        // 150 of 500 are left: the first 200 find 150 of them, the next 300 none.
        #expect(told(rows) == [[40_000, 200, 150, 50], [100_000, 300, 0, 300], [0, -500, -150, -350]])
        let totals = ClawbackTotal.byUnit(rows.prefix(2))
        #expect(totals == [ClawbackTotal(unit: "coins", toRecover: 500, recovered: 150, owed: 350)])
    }

    @Test func `units of another purchase cover what is taken back`() throws {
        let registers = [try register("1", prorated(100_000)), try register("2", [:])]
        let rows = ClawbackAccount.clawbacks(of: registers, catalog: catalog(), usage: try used(600))
        #expect(told(rows) == [[100_000, 500, 400, 100]])
    }

    @Test func `more used than granted is owed only as far as it is taken back`() throws {
        let rows = ClawbackAccount.clawbacks(
            of: [try register("1", prorated(100_000))],
            catalog: catalog(),
            usage: try used(9000)
        )
        #expect(told(rows) == [[100_000, 500, 0, 500]])
    }

    @Test func `other products lose access, and show the percentage`() throws {
        let changes = prorated(60_000).merging(["type": "Non-Consumable"]) { $1 }
        let rows = ClawbackAccount.clawbacks(of: [try register("1", changes)], catalog: .empty, usage: UsageTally())
        #expect(rows.map(\.percentage) == [Percentage(60_000)] && rows.map(\.units) == [nil])
        #expect(ClawbackTotal.byUnit(rows) == [])
    }

    @Test(arguments: [
        Sample.revoked(1, reason: 7), Sample.revoked(1, "REFUND_PRORATED", percentage: 250_000),
        Sample.revoked(1, "NEW"),
    ])
    func `nothing is taken automatically where the document does not tell`(_ changes: [String: Payload.Value?]) throws {
        let rows = ClawbackAccount.clawbacks(
            of: [try register("1", changes)],
            catalog: catalog(),
            usage: UsageTally()
        )
        #expect(rows.map { $0.units?.toRecover } == [0])
    }

    @Test func `a revocation without money is no clawback`() throws {
        let family = Sample.revoked(1, "FAMILY_REVOKE")
        let registers = [try register("1", family)]
        #expect(ClawbackAccount.clawbacks(of: registers, catalog: catalog(), usage: UsageTally()) == [])
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
            let rows = ClawbackAccount.clawbacks(
                of: registers.shuffled(using: &random),
                catalog: catalog,
                usage: try used(Int64.random(in: 0...20, using: &random))
            )
            let winners = registers.compactMap { $0.renderings.last?.fact }
            let balance = EntitlementSet.of(LineFacts(winners), catalog: catalog, at: .day(99)).balances.first
            let total = ClawbackTotal.byUnit(rows).first ?? ClawbackTotal(unit: "coins")
            #expect(total.toRecover == Int128(balance?.clawedBack ?? 0), "seed \(seed)")
            #expect(total.recovered + total.owed == total.toRecover, "seed \(seed)")
            let perEntry = registers.flatMap(\.entries).filter(\.isAboutMoney).count
            #expect(rows.filter(\.entry.isAboutMoney).count == perEntry, "seed \(seed)")
        }
    }
}
