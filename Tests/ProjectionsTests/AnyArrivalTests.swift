import EventStore
import LedgerCore
import Postgres
import Projections
import TestSupport
import Testing

/// DESIGN invariant 6 through PostgreSQL: two logs of the same documents, each with its own positions, lead to the same
/// tables and answers.
@Suite("Any arrival", .database, .timeLimit(.minutes(10)))
struct AnyArrivalTests {
    @Test(arguments: 7000..<7008 as Range<UInt64>)
    func `another order, repetition, batches and sources leave the same bytes in the tables`(
        _ seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let units = try Story(seed: seed, count: 40, lines: 3).units(.shared())
        let again = units.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        let others = (units + again + again).shuffled(using: &random).map { unit in
            unit.from(EventSource.allCases.randomElement(using: &random) ?? .api)
        }
        let arrivals = [units.cut(into: 1...1, using: &random), others.cut(into: 1...9, using: &random)]
        let database = TestDatabase.current
        try await database.project { harness in
            let outcomes = try arrivals.map { batches in
                try database.emptyLedger()
                for batch in batches {
                    try harness.append(batch)
                    _ = try harness.projection.step()
                }
                try harness.catchUp()
                try harness.expectTablesEqualLog("seed \(seed)")
                return try Outcome(harness)
            }
            #expect(outcomes[0] == outcomes[1], "seed \(seed)")
        }
    }
}

/// What the tables hold, and what is answered from it.
private struct Outcome: Equatable {
    private var tables: PositionFreeTables
    private var answers: [[UInt8]]

    init(_ harness: ProjectionHarness) throws {
        tables = try PositionFreeTables(harness)
        let catalog = try Catalog(json: Array(TruthQuestion.catalogText.utf8))
        let instant = Instant(milliseconds: Payload.sampleSignedDate + 6 * 86_400_000)
        answers = Story.customers.map { [tables] customer in
            let key = CustomerKey.appTransactionID(AppTransactionID(rawValue: customer))
            let question = TruthQuestion(key: key, environment: .production, at: instant)
            return tables.facts.customer(key, in: .production).answer(to: question, catalog, at: .start)
        }
    }
}

extension AppendUnit {
    /// The same documents, brought by somebody else.
    fileprivate func from(_ source: EventSource) -> AppendUnit {
        var unit = self
        for index in unit.events.indices { unit.events[index].source = source }
        for index in (unit.uncut ?? []).indices { unit.uncut?[index].source = source }
        return unit
    }
}
