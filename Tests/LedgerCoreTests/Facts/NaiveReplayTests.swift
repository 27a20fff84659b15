import LedgerCore
import TestSupport
import Testing

/// The fold and the evaluators against an implementation of its own, by full replay (``NaiveReplay``).
@Suite("Naive replay")
struct NaiveReplayTests {
    private static let questionCount = 40
    private static let first: UInt64 = 5000
    /// How many stories are asked about.
    private static let stories = UInt64(Repetitions.count("LEDGERD_REPLAYS", usually: 50))

    /// Crowded lines; lines of few documents, where nothing stands beside a revoked purchase; and consumables of which
    /// units were used.
    private static func events(_ seed: UInt64) throws -> [LedgerEvent] {
        switch seed % 4 {
        case 0, 2: return Story(seed: seed, count: 40, lines: 6).events
        case 1: return Story(seed: seed, count: 12, lines: 3).events
        default:
            let events = Story(seed: seed, count: 90, lines: 15).events
            return events + (try UsageStory(seed: seed, count: 15, lines: 15).events(after: events))
        }
    }

    @Test func `the questions meet every state and every kind of product`() throws {
        let catalog = try Catalog(json: Array(TruthQuestion.catalogText.utf8))
        var states: Set<String> = []
        var types: Set<String> = []
        var (isTakenBack, isUsed, isOwed) = (false, false, false)
        for seed in Self.first..<Self.first + 25 {
            let events = try Self.events(seed)
            var random = SeededGenerator(seed: seed)
            for _ in 0..<Self.questionCount {
                let question = TruthQuestion(about: events, using: &random)
                let facts = HistoricalFacts.fold(events, at: question.at, knownAt: question.knownAt)
                    .customer(question.key, in: question.environment)
                let set = EntitlementEvaluator.evaluate(facts, catalog: catalog, at: question.at)
                states.formUnion(set.subscriptions.map { "\($0.state.status.stateName)" })
                states.formUnion(set.subscriptions.filter(\.state.graceEndIsAssumed).map { _ in "assumed grace" })
                types.formUnion(set.entitlements.compactMap(\.transaction.type?.rawValue))
                isTakenBack = isTakenBack || set.balances.contains { $0.clawedBack > 0 }
                isUsed = isUsed || set.balances.contains { $0.used > 0 && $0.net > 0 }
                isOwed = isOwed || set.balances.contains { $0.owed > 0 }
            }
        }
        #expect(
            states == ["active", "gracePeriod", "billingRetry", "expired", "revoked", "assumed grace"]
        )
        #expect(types == ["Auto-Renewable Subscription", "Non-Consumable", "Non-Renewing Subscription"])
        #expect(isTakenBack && isUsed && isOwed)
    }

    @Test(arguments: first..<first + stories)
    func `questions about a story on both clocks are answered as a full replay answers them`(_ seed: UInt64) throws {
        let events = try Self.events(seed)
        let truth = try Truth(events, initial: try NaiveCatalog(TruthQuestion.catalogText))
        let catalog = try Catalog(json: Array(TruthQuestion.catalogText.utf8))
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Self.questionCount {
            let question = TruthQuestion(about: events, using: &random)
            let facts = HistoricalFacts.fold(events, at: question.at, knownAt: question.knownAt)
                .customer(question.key, in: question.environment)
            let answer = try JSONReader.value(of: facts.answer(to: question, catalog, at: .start))
            let fault = truth.fault(of: answer, to: question)
            #expect(fault == nil, "seed \(seed)")
        }
    }
}
