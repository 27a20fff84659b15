import EventStore
import LedgerCore
import Postgres
import Projections
import TestSupport
import Testing

/// The marks of what reports of used units are about follow from the set of events, while transactions move between
/// lines and tokens change (DESIGN invariants 6 and 10).
@Suite("Projection: marks of used units", .database, .timeLimit(.minutes(10)))
struct UsageMarkTests {
    /// How many of the orders are rebuilt as well.
    private static let rebuilds = 5

    @Test(arguments: 9100..<9104 as Range<UInt64>)
    func `all 120 orders of five events leave the same bytes, and a rebuild finds no difference`(
        _ seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let name = try #require(CustomerKey.names.randomElement(using: &random))
        let arrivals =
            try MovingTransactions.renderings(using: &random) + [
                MovingTransactions.report("a", about: "transactionId", using: &random),
                MovingTransactions.report("b", about: name, using: &random),
            ]
        try await Self.expectSameTables(after: arrivals.permutations, "seed \(seed)", random)
    }

    @Test(arguments: 9200..<9206 as Range<UInt64>)
    func `many events leave the same bytes in any order, and a rebuild finds no difference`(
        _ seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        var arrivals = try (0..<12).map { _ in try MovingTransactions.rendering(using: &random) }
        // Not of all kinds at once: a report about a customer marks nearly every line.
        for name in CustomerKey.names.shuffled(using: &random).prefix(2) {
            arrivals.append(try MovingTransactions.report("\(name)", about: name, using: &random))
        }
        let orders = (0..<5).map { _ in arrivals.shuffled(using: &random) }
        try await Self.expectSameTables(after: orders, "seed \(seed)", random)
    }

    /// Records and folds each order in a ledger of its own, in random batches.
    private static func expectSameTables(
        after orders: [[Arrival]],
        _ seed: String,
        _ generator: SeededGenerator
    ) async throws {
        let database = TestDatabase.current
        try await database.project { harness in
            var random = generator
            var expected: PositionFreeTables?
            for (number, order) in orders.enumerated() {
                try database.emptyLedger()
                for arrival in order {
                    try harness.record(arrival)
                    if Bool.random(using: &random) { _ = try harness.projection.step() }
                }
                try harness.catchUp()
                let tables = try PositionFreeTables(harness)
                #expect(tables == expected ?? tables, "\(seed), order \(number)")
                expected = expected ?? tables
                if number.isMultiple(of: orders.count / rebuilds) {
                    #expect(try database.differencesOfRebuild() == [], "\(seed), order \(number)")
                    try harness.expectTablesEqualLog("\(seed), order \(number)")
                }
            }
        }
    }
}

extension TestDatabase {
    /// The tables in which a rebuild differs; what it made is removed.
    fileprivate func differencesOfRebuild() throws -> [String] {
        let owner = try connect()
        defer { owner.close() }
        let rebuild = Rebuild(owner)
        try rebuild.fold { _ in }
        let comparison = try rebuild.compare(replaces: false)
        try rebuild.discard()
        return comparison.differing
    }
}
