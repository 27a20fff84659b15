import EventStore
import LedgerCore
import Postgres
import Projections
import TestSupport
import Testing

/// Reports of used units and the documents that they are about, in any order of arrival.
@Suite("Projection: used units", .database, .timeLimit(.minutes(10)))
struct UsageProjectionTests {
    @Test(arguments: 8000..<8006 as Range<UInt64>)
    func `any order and any batches mark the same lines, and lead to the same answers`(_ seed: UInt64) async throws {
        let story = try Story(seed: seed, count: 60, lines: 9).units(.shared())
        let reports = try UsageStory(seed: seed, count: 10, lines: 9).reports
        let arrivals = story.map(Arrival.unit) + (reports + reports).map(Arrival.report)
        try await TestDatabase.current.project { harness in
            var random = SeededGenerator(seed: seed)
            for arrival in arrivals.shuffled(using: &random) {
                try harness.record(arrival)
                if Int.random(in: 0..<4, using: &random) == 0 { _ = try harness.projection.step() }
            }
            try harness.catchUp()
            try harness.expectTablesEqualLog("seed \(seed)")
            let log = try harness.foldedLog()
            #expect(log.usages.count == reports.count)
            // Wherever something was reported the tables say so: then the log is asked.
            let tables = try harness.loadTables(log)
            let reader = HistoryReader(harness.connection, catalogs: CatalogShelf(initial: .empty))
            for key in log.lines.keys {
                let line = CustomerKey.originalTransactionID(key.id)
                let facts = log.customer(line, in: key.environment)
                if facts.usage != nil { #expect(tables.customer(line, in: key.environment).lacksUsage, "seed \(seed)") }
                let current = try reader.currentFacts(of: line, in: key.environment, upTo: harness.head)
                #expect(try Self.told(current) == Self.told(facts), "seed \(seed), \(key.id)")
            }
        }
    }

    /// What a customer's facts mean for balances.
    private static func told(_ facts: CustomerFacts) throws -> [Balance] {
        let catalog = try Catalog(json: Array(TruthQuestion.catalogText.utf8))
        return EntitlementEvaluator.evaluate(facts, catalog: catalog, at: .distantFuture).balances
    }

    @Test func `a purchase that comes after its report is marked, and others are not`() async throws {
        let store = try SimulatedStore.shared()
        let report = UsageStory.Report(
            usage: try Usage(
                holder: .appTransactionID(AppTransactionID(rawValue: Story.customers[0])),
                unit: "coins",
                amount: 2,
                idempotencyKey: IdempotencyKey(rawValue: "a")
            ),
            environment: .production
        )
        func purchase(_ id: String, of customer: String) throws -> AppendUnit {
            let payload = Payload.transaction(
                id,
                line: id,
                [
                    "environment": "Production", "type": "Consumable", "appTransactionId": .text(customer),
                    "signedDate": .integer(Payload.sampleSignedDate),
                ]
            )
            return AppendUnit(try store.verified(payload, as: .transaction), source: .device)
        }
        let units = [try purchase("1", of: Story.customers[0]), try purchase("2", of: Story.customers[1])]
        try await TestDatabase.current.project { harness in
            #expect(try harness.record(report) == .recorded)
            try harness.catchUp()
            try harness.append(units)
            try harness.catchUp()
            let lines = try harness.loadTables(harness.foldedLog()).lines
            let marked = lines.filter(\.value.hasUsage).map(\.key.id.rawValue)
            #expect(lines.count == 2 && marked == ["1"])
        }
    }
}
