import EventStore
import LedgerCore
import Projections
import TestSupport
import Testing

/// Questions about the past, over a log in PostgreSQL, against a full replay by an implementation of its own.
@Suite("Two clocks: truth", .database, .timeLimit(.minutes(20)))
struct TwoClockTruthTests {
    /// How many random questions are asked.
    private static let questions = Repetitions.count("LEDGERD_QUESTIONS", usually: 1000)
    /// The stories that they are about.
    private static let stories = 10

    @Test(arguments: 0..<stories)
    func `at and knownAt are answered as a full replay of the log answers them`(_ story: Int) async throws {
        let seed = UInt64.random(in: .min ... .max)
        print("questions on two clocks: \(Self.questions / Self.stories) of \(Self.questions), seed \(seed)")
        var random = SeededGenerator(seed: seed)
        // Every second story has reports of used units, and more consumables that they are spread over.
        let lines = story.isMultiple(of: 2) ? 6 : 15
        let reports = story.isMultiple(of: 2) ? [] : try UsageStory(seed: seed, count: 12, lines: lines).reports
        let units = try Story(seed: seed, count: lines == 6 ? 50 : 90, lines: lines).units(.shared())
            .shuffled(using: &random)
        let pieces = units.cut(into: 1...4, using: &random)
        let generator = random
        try await TestDatabase.current.project { harness in
            let versions = [
                pieces.count / 3: TruthQuestion.catalogText, pieces.count / 2: TruthQuestion.laterCatalogText,
            ]
            for (number, piece) in pieces.enumerated() {
                if let version = versions[number] { try harness.record(catalog: version) }
                try harness.append(piece)
                for (index, report) in reports.enumerated() where index % pieces.count == number {
                    try harness.record(report)
                }
            }
            try harness.catchUp()
            let events = try harness.events()
            let truth = try Truth(events, initial: try NaiveCatalog(#"{"products": {}}"#))
            let catalogs = CatalogShelf(initial: .empty)
            let reader = HistoryReader(harness.connection, catalogs: catalogs)
            var random = generator
            for _ in 0..<Self.questions / Self.stories {
                let question = TruthQuestion(about: events, using: &random)
                let last = try reader.horizon(question.knownAt).position
                #expect(last == Self.position(question.knownAt, events), "seed \(seed), \(question)")
                let facts = try reader.facts(
                    of: question.key,
                    in: question.environment,
                    at: question.at,
                    upTo: last
                )
                let catalog = catalogs.catalog(at: question.at, upTo: last)
                let answer = facts.answer(to: question, catalog, at: last)
                let fault = truth.fault(of: try JSONReader.value(of: answer), to: question)
                #expect(fault == nil, "seed \(seed)")
            }
        }
    }

    /// The last event that counts.
    private static func position(_ knownAt: KnownAt?, _ events: [LedgerEvent]) -> Position? {
        let known = events.filter { event in
            switch knownAt {
            case nil: true
            case .position(let last): event.position <= last
            case .time(let time): event.recordedAt <= time
            }
        }
        return known.last?.position ?? .start
    }
}
