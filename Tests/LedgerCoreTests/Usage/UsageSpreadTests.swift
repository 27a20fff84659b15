import TestSupport
import Testing

@testable import LedgerCore

/// On which purchases used units fall, and what a refund can take back then.
@Suite("Usage: spread")
struct UsageSpreadTests {
    private static let catalog = Catalog(products: [
        ProductID(rawValue: "coins"): CatalogProduct(unit: "coin", units: 500),
        ProductID(rawValue: "gems"): CatalogProduct(unit: "gem", units: 10),
    ])
    private static let customer = CustomerKey.appTransactionID(AppTransactionID(rawValue: "7"))
    private static let token = CustomerKey.appAccountToken(AppAccountToken(rawValue: "t"))

    /// A purchase on a day, as a line of its own.
    private static func bought(
        _ id: String,
        on day: Double,
        product: String = "coins",
        token: String? = nil,
        refunded: Int64? = nil
    ) -> LineFacts {
        var fact = TransactionFact.sample(id, line: id, type: .consumable, product: product, from: day)
        if let refunded { fact = fact.revoked(at: .day(30), .refundProrated, percentage: refunded) }
        var line = LineFact(fact.originalTransactionID)
        line.appTransactionID = Register(rank: .day(day), value: AppTransactionID(rawValue: "7"))
        line.renewalToken = token.map { Register(rank: .day(day), value: AppAccountToken(rawValue: $0)) }
        return LineFacts(line: line, transactions: [fact])
    }

    private static func reports(_ reports: [(CustomerKey, String?, Int64)]) throws -> [UsageFact] {
        try reports.enumerated().map { index, report in
            let usage = try Usage(
                holder: report.0,
                unit: report.1,
                amount: report.2,
                idempotencyKey: IdempotencyKey(rawValue: "\(index)")
            )
            return UsageFact(usage, usedAt: .day(20), position: Position(Int64(index + 1)))
        }
    }

    private static func transaction(_ id: String) -> CustomerKey { .transactionID(TransactionID(rawValue: id)) }

    /// What falls on each transaction, and the balance of the first unit.
    private static func spread(
        _ lines: [LineFacts],
        _ reports: [(CustomerKey, String?, Int64)],
        at instant: Instant = .day(40)
    ) throws -> (used: [String: Int128], balance: Balance?) {
        let account = UsageAccount(usages: try Self.reports(reports), lines: lines)
        let used = UsageSpread(account, catalog: catalog, at: instant).used
        let facts = CustomerFacts(lines: lines, usage: account)
        let set = EntitlementEvaluator.evaluate(facts, catalog: catalog, at: instant)
        return (Dictionary(uniqueKeysWithValues: used.map { ($0.key.rawValue, $0.value) }), set.balances.first)
    }

    @Test func `the oldest purchase is used first, whatever the order of the lines`() throws {
        let lines = [Self.bought("2", on: 2), Self.bought("1", on: 5), Self.bought("3", on: 1)]
        for lines in [lines, lines.reversed()] {
            let (used, balance) = try Self.spread(lines, [(Self.customer, "coin", 700)])
            #expect(used == ["3": 500, "2": 200])
            #expect(balance == Balance(unit: "coin", granted: 1500, clawedBack: 0, used: 700, owed: 0))
            #expect(balance?.net == 800)
        }
    }

    @Test func `what is left of a refunded purchase is taken back, and the rest is owed`() throws {
        let (_, balance) = try Self.spread([Self.bought("1", on: 1, refunded: 100_000)], [(Self.customer, "coin", 400)])
        #expect(balance == Balance(unit: "coin", granted: 500, clawedBack: 500, used: 400, owed: 400))
        #expect(balance?.net == 0)
        let (_, half) = try Self.spread([Self.bought("1", on: 1, refunded: 50_000)], [(Self.customer, "coin", 400)])
        #expect(half?.owed == 150 && half?.net == 0)
    }

    @Test func `use falls on what was taken back only where nothing else is left`() throws {
        let lines = [Self.bought("1", on: 1, refunded: 100_000), Self.bought("2", on: 2)]
        let (some, covered) = try Self.spread(lines, [(Self.customer, "coin", 300)])
        #expect(some == ["2": 300] && covered?.owed == 0 && covered?.net == 200)
        let (more, owing) = try Self.spread(lines, [(Self.customer, "coin", 600)])
        #expect(more == ["2": 500, "1": 100] && owing?.owed == 100 && owing?.net == 0)
        let (all, past) = try Self.spread(lines, [(Self.customer, "coin", 1100)])
        #expect(all == ["1": 500, "2": 600] && past?.owed == 500 && past?.net == 0 && past?.used == 1100)
    }

    @Test func `a report that names a transaction is that transaction's`() throws {
        let lines = [Self.bought("1", on: 1, refunded: 100_000), Self.bought("2", on: 2)]
        let reports: [(CustomerKey, String?, Int64)] =
            [(Self.transaction("1"), nil, 400), (Self.customer, "coin", 100)]
        let (used, balance) = try Self.spread(lines, reports)
        #expect(used == ["1": 400, "2": 100])
        #expect(balance?.owed == 400 && balance?.net == 400)
        // A unit that the product does not have.
        let (none, _) = try Self.spread(lines, [(Self.transaction("1"), "gem", 5)])
        #expect(none == [:])
    }

    @Test func `narrower reports go first, so that wider ones find what is left`() throws {
        let lines = [Self.bought("1", on: 1), Self.bought("2", on: 2, token: "t"), Self.bought("3", on: 3, token: "t")]
        let reports =
            [(Self.customer, "coin", 600), (Self.token, "coin", 500), (Self.transaction("1"), "coin", 100)]
            as [(CustomerKey, String?, Int64)]
        for reports in [reports, reports.reversed()] {
            #expect(try Self.spread(lines, reports).used == ["1": 500, "2": 500, "3": 200])
        }
    }

    @Test func `other units, later purchases and later use do not count`() throws {
        let lines = [Self.bought("1", on: 1, product: "gems"), Self.bought("2", on: 2), Self.bought("3", on: 21)]
        #expect(try Self.spread(lines, [(Self.customer, "coin", 700)], at: .day(20)).used == ["2": 700])
        #expect(try Self.spread(lines, [(Self.customer, "coin", 700)], at: Instant.day(20).justBefore).used == [:])
        #expect(try Self.spread(lines, [(Self.customer, "gem", 4), (Self.customer, "star", 9)]).used == ["1": 4])
        let facts = CustomerFacts(
            lines: lines,
            usage: UsageAccount(usages: try Self.reports([(Self.customer, "coin", 1)]), lines: lines)
        )
        let set = EntitlementEvaluator.evaluate(facts, catalog: Self.catalog, at: .day(19))
        #expect(set.nextChangeAt == .day(20))
    }

    @Test func `the explanation says what falls on a purchase, and what is owed of it`() throws {
        let lines = [Self.bought("1", on: 1, refunded: 100_000)]
        let usage = UsageAccount(usages: try Self.reports([(Self.customer, "coin", 400)]), lines: lines)
        let facts = CustomerFacts(lines: lines, usage: usage)
        let explanation = EntitlementEvaluator.explain(facts, catalog: Self.catalog, at: .day(40)).explanation
        let sentences = explanation.products.flatMap(\.rules).map(\.sentence)
        #expect(
            sentences.suffix(2) == [
                "Services reported units as used; 400 coin of them fall on transaction 1.",
                "Of what is taken back of transaction 1, 400 coin were used: they are owed.",
            ]
        )
    }

    @Test func `reports about one line draw in the others of the customers that they name, and only those`() throws {
        var facts = FactSet()
        for (id, customer) in [("1", "7"), ("2", "7"), ("3", "8")] {
            let fact = TransactionFact.sample(id, line: id, type: .consumable, product: "coins", from: 1)
            var line = LineFact(fact.originalTransactionID)
            line.appTransactionID = Register(rank: .day(1), value: AppTransactionID(rawValue: customer))
            facts.merge(.line(line, .production))
            facts.merge(.transaction(fact, .production))
        }
        let key = CustomerKey.originalTransactionID(OriginalTransactionID(rawValue: "1"))
        #expect(facts.customer(key, in: .production).usage == nil)
        for report in try Self.reports([(Self.customer, "coin", 5), (Self.transaction("3"), nil, 5)]) {
            facts.merge(.usage(report, .production))
            facts.merge(.usage(report, .production))
        }
        let account = facts.customer(key, in: .production).usage
        #expect(account?.lines.map(\.line.originalTransactionID.rawValue) == ["1", "2"])
        #expect(account?.usages.map(\.usage.amount) == [5])
        #expect(facts.customer(key, in: .sandbox).usage == nil)
    }
}
