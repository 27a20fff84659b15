import LedgerCore
import TestSupport
import Testing

/// DESIGN invariant 6 to the byte: order, multiplicity, batches and sources of the same events change neither what the
/// tables hold nor what is answered.
@Suite("Any order, to the byte")
struct AnyOrderTests {
    /// How many small stories are folded in every order.
    private static let smallStories = Repetitions.count("LEDGERD_SMALL_STORIES", usually: 200)
    /// How many random stories are folded.
    private static let stories = Repetitions.count("LEDGERD_STORIES", usually: 400)
    /// The stories are shared out to as many cases, so that they run beside each other.
    private static let shares = 8

    @Test(arguments: 0..<shares)
    func `all 120 orders of five events give the same bytes`(_ share: Int) throws {
        let catalog = try Catalog(json: Array(TruthQuestion.catalogText.utf8))
        for number in stride(from: share, to: Self.smallStories, by: Self.shares) {
            let seed = UInt64(6000 + number)
            // One line, so that the events meet.
            let events = Array(Story(seed: seed, count: 5, lines: 1).events.prefix(5))
            var random = SeededGenerator(seed: seed)
            let questions = (0..<2).map { _ in TruthQuestion(about: events, using: &random) }
            let expected = Outcome(FactSet(foldingEach: [events]), questions, catalog)
            let orders = events.permutations
            try #require(orders.count == 120, "seed \(seed)")
            let differing = orders.count { Outcome(FactSet(foldingEach: [$0]), questions, catalog) != expected }
            #expect(differing == 0, "seed \(seed): \(differing) orders differ")
        }
    }

    @Test(arguments: 0..<shares)
    func `stories in any order, repetition, batches and from any source give the same bytes`(_ share: Int) throws {
        let catalog = try Catalog(json: Array(TruthQuestion.catalogText.utf8))
        let first = UInt64.random(in: 0..<(1 << 32))
        print("random stories: \(Self.stories / Self.shares) of \(Self.stories), from seed \(first)")
        for number in stride(from: share, to: Self.stories, by: Self.shares) {
            let seed = first + UInt64(number)
            var random = SeededGenerator(seed: seed)
            let size = Int.random(in: 1...40, using: &random)
            let events = Array(Story(seed: seed, count: size, lines: 3).events.prefix(40))
            let questions = (0..<3).map { _ in TruthQuestion(about: events, using: &random) }
            let expected = Outcome(FactSet(foldingEach: [events]), questions, catalog)
            let arrivals = Arrivals(of: events, using: &random)
            let outcome = Outcome(FactSet(foldingEach: arrivals.batches), questions, catalog)
            #expect(outcome == expected, "seed \(seed)")
            // One about the past: each of these folds the whole story again.
            let past = [events, arrivals.batches.flatMap { $0 }].map { events in
                HistoricalFacts.fold(events, at: questions[0].at, knownAt: nil)
                    .customer(questions[0].key, in: questions[0].environment)
                    .answer(to: questions[0], catalog, at: .start)
            }
            #expect(past[0] == past[1], "seed \(seed)")
        }
    }
}

/// What a fold leads to, in bytes: the lines as the tables hold them, the facts beside them, and some answers.
private struct Outcome: Equatable {
    private var lines: [FactKey<OriginalTransactionID>: [UInt8]]
    private var appTransactions: [FactKey<AppTransactionID>: AppTransactionFact]
    private var consents: [FactKey<AppTransactionID>: RescindedConsent]
    private var answers: [[UInt8]]

    init(_ facts: FactSet, _ questions: [TruthQuestion], _ catalog: Catalog) {
        lines = facts.packedLines
        appTransactions = facts.appTransactions
        consents = facts.consents
        answers = questions.map { question in
            facts.customer(question.key, in: question.environment).answer(to: question, catalog, at: .start)
        }
    }
}
