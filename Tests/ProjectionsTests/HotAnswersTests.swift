import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// Answers that are kept while the log grows, against a fold of the log up to the position that each of them states.
@Suite("Hot answers", .database, .timeLimit(.minutes(10)))
struct HotAnswersTests {
    @Test(arguments: [1 << 20, 16 << 10, 1 << 20, 16 << 10])
    func `whatever is appended, looked up, dropped and asked for in between, a hit says what the log says`(
        _ bytesMax: Int
    )
        async throws
    {
        let seed = UInt64.random(in: .min ... .max)
        print("hot answers: seed \(seed)")
        // Where little is kept, little of it is touched before it goes: that takes a longer story to see often enough.
        let length = bytesMax < 1 << 20 ? 4 : 1
        let units = try Self.units(seed, length)
        let database = TestDatabase.current
        try await database.project { harness in
            try harness.append(units)
            let loop = try ReadLoop(database.daemon(), connections: 1)
            defer { loop.close() }
            var run = try Interleaving(harness, loop, seed, bytesMax: bytesMax)
            for _ in 0..<4000 * length { try run.step() }
            print("\(run.hits) hits, \(run.drops)")
            #expect(run.hits > 30 && run.drops.touched > 5, "seed \(seed)")
            #expect((run.drops.evicted > 0) == (bytesMax < 1 << 20), "seed \(seed)")
        }
    }

    /// A story of so many times 120 events, and among it transactions that move to another line.
    private static func units(_ seed: UInt64, _ length: Int) throws -> [AppendUnit] {
        var random = SeededGenerator(seed: seed)
        let store = try SimulatedStore.shared()
        var units = try Story(seed: seed, count: 120 * length, lines: 5).units(store)
        for _ in 0..<15 * length {
            let number = { Int.random(in: 0..<5, using: &random) }
            let (from, to) = (number(), number())
            let payload = Payload.transaction(
                "10\(from)\(number() % 3)",
                line: "10\(to)0",
                ["signedDate": .integer(Payload.sampleSignedDate + 86_400_000 * Int64(number()) * 3)]
            )
            let unit = AppendUnit(try store.verified(payload, as: .transaction), source: .device)
            units.insert(unit, at: Int.random(in: 0...units.count, using: &random))
        }
        return units
    }

    @Test func `a token that the newest event does not name can get the line, and its answer goes`() async throws {
        let line = "1000"
        let (first, second, third) = (Story.tokens[0], Story.tokens[2], "0aa7a1f0-6d4e-4bd5-9a53-00000000000f")
        func purchase(_ id: String, _ token: String, purchased: Int64, signed: Int64) -> Payload {
            .transaction(
                id,
                line: line,
                [
                    "appAccountToken": .text(token), "purchaseDate": .integer(Payload.sampleSignedDate + purchased),
                    "signedDate": .integer(Payload.sampleSignedDate + signed),
                ]
            )
        }
        let renewal = Payload.renewalInfo(
            line: line,
            ["appAccountToken": .text(second), "signedDate": .integer(Payload.sampleSignedDate + 5000)]
        )
        let store = try SimulatedStore.shared()
        let before = [
            AppendUnit(
                try store.verified(purchase("1000", first, purchased: 0, signed: 9000), as: .transaction),
                source: .device
            ),
            AppendUnit(try store.verified(renewal, as: .renewalInfo), source: .device),
        ]
        // A later purchase with an earlier signature: now the renewal info is the newest observation.
        let after = AppendUnit(
            try store.verified(purchase("1001", third, purchased: 1000, signed: 2000), as: .transaction),
            source: .device
        )
        try await Self.expectDropped(.appAccountToken(AppAccountToken(rawValue: second)), before, after)
    }

    @Test func `a transaction that moves away is missed by the line it was in`() async throws {
        let store = try SimulatedStore.shared()
        func unit(_ line: String, signed: Int64) throws -> AppendUnit {
            let payload = Payload.transaction(
                "1001",
                line: line,
                ["signedDate": .integer(Payload.sampleSignedDate + signed)]
            )
            return AppendUnit(try store.verified(payload, as: .transaction), source: .device)
        }
        try await Self.expectDropped(
            .originalTransactionID(OriginalTransactionID(rawValue: "1000")),
            [try unit("1000", signed: 0)],
            try unit("2000", signed: 1000)
        )
    }

    @Test(arguments: 0..<4)
    func `a key of which nothing was known gets its first line`(_ kind: Int) async throws {
        let token = Story.tokens[0]
        let unit = AppendUnit(
            try SimulatedStore.shared().verified(
                .transaction("1", ["appAccountToken": .text(token), "appTransactionId": .text("7")]),
                as: .transaction
            ),
            source: .device
        )
        let keys: [CustomerKey] = [
            .appAccountToken(AppAccountToken(rawValue: token)), .appTransactionID(AppTransactionID(rawValue: "7")),
            .transactionID(TransactionID(rawValue: "1")),
            .originalTransactionID(OriginalTransactionID(rawValue: "1")),
        ]
        try await Self.expectDropped(keys[kind], [], unit)
    }

    /// Keeps the answer to a key, appends one unit more, and looks whether the answer went.
    private static func expectDropped(_ key: CustomerKey, _ before: [AppendUnit], _ after: AppendUnit) async throws {
        let database = TestDatabase.current
        try await database.project { harness in
            if !before.isEmpty { try harness.append(before) }
            try harness.catchUp()
            let loop = try ReadLoop(database.daemon(), connections: 1)
            defer { loop.close() }
            var hot = HotAnswers(bytesMax: 1 << 20)
            hot.take(try loop.touches(after: nil))
            let question = Question(key: key, environment: .production)
            let ticket = hot.ticket
            let found = try loop.ask([question])[0].get()
            hot.keep(found.entry(at: .start), for: question.cacheKey, tags: found.tags(question), ticket)
            #expect(hot.answer(to: question.cacheKey, at: .start, minPosition: .start) != nil)
            try harness.append([after])
            try harness.catchUp()
            hot.take(try loop.touches(after: hot.position))
            #expect(try loop.ask([question])[0].get().facts.inOrder != found.facts.inOrder, "the answer has changed")
            #expect(hot.answer(to: question.cacheKey, at: .start, minPosition: .start) == nil)
        }
    }

    @Test func `a catalog, an event without its names, and too many events touch everything`() async throws {
        let database = TestDatabase.current
        let store = try SimulatedStore.shared()
        let long = String(repeating: "9", count: TransactionID.bytesMax + 1)
        let unnamed = AppendUnit(try store.verified(.renewalInfo(line: long), as: .renewalInfo), source: .device)
        let named = AppendUnit(try store.verified(.renewalInfo(line: "1"), as: .renewalInfo), source: .device)
        try await database.project { harness in
            let loop = try ReadLoop(database.daemon(), connections: 1)
            defer { loop.close() }
            func extent(_ append: () throws -> Void) throws -> LogTouches.Extent {
                let before = try harness.head
                try append()
                try harness.catchUp()
                return try loop.touches(after: before).extent
            }
            guard case .answers(let touches) = try extent({ try harness.append([named]) }) else {
                Issue.record("a renewal info touches everything")
                return
            }
            #expect(touches.map(\.position) == [Position(1)])
            #expect(try extent { try harness.append([unnamed]) } == .everything)
            #expect(try extent { try harness.record(catalog: #"{"products":{}}"#) } == .everything)
            #expect(try loop.touches(after: Position(-LogTouches.spanMax)).extent == .everything)
            #expect(try loop.touches(after: nil).extent == .answers([]))
            #expect(try loop.touches(after: harness.head).extent == .answers([]))
        }
    }
}

/// Everything that can happen around kept answers, in a random order; a look-up and a look at the log can take a while.
private struct Interleaving {
    private struct LookUp {
        var question: Question
        var found: CustomerReader.Answer
        var instant: Instant
        var ticket: HotAnswers.Ticket?
    }

    private let harness: ProjectionHarness
    private let loop: ReadLoop
    private let seed: UInt64
    private let head: Position
    private let questions: [Question]
    /// The log folded up to each position.
    private let truth: [FactSet]
    private var random: SeededGenerator
    private var hot: HotAnswers
    private var lookUps: [LookUp] = []
    private var look: LogTouches?
    private var tables: Int64 = 0
    private var stated = Position.start
    private(set) var hits = 0

    var drops: AnswerCache.Drops { hot.kept.drops }

    init(_ harness: ProjectionHarness, _ loop: ReadLoop, _ seed: UInt64, bytesMax: Int) throws {
        hot = HotAnswers(bytesMax: bytesMax)
        self.harness = harness
        self.loop = loop
        self.seed = seed
        random = SeededGenerator(seed: seed &+ 1)
        head = try harness.head
        var facts = FactSet()
        truth =
            try [facts]
            + harness.events().map { event in
                facts.fold(event)
                return facts
            }
        let keys: [CustomerKey] =
            facts.transactions.keys.map { .transactionID($0.id) }
            + facts.lines.keys.map { .originalTransactionID($0.id) }
            + Story.customers.map { .appTransactionID(AppTransactionID(rawValue: $0)) }
            + Story.tokens.map { .appAccountToken(AppAccountToken(rawValue: $0)) }
            // Of these nothing is ever known; their answers are small.
            + (0..<30).map { .transactionID(TransactionID(rawValue: "0\($0)")) }
        questions = Set(keys).sorted { $0.value < $1.value }.flatMap { key in
            [StoreEnvironment.production, .sandbox].map { Question(key: key, environment: $0) }
        }.shuffled(using: &random)
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    /// Nearly always the same, so that answers are asked for again, else before or after it.
    private mutating func instant() -> Instant {
        let days = chance(10) ? Int64.random(in: 5..<12, using: &random) : 8
        return Instant(milliseconds: Payload.sampleSignedDate + 86_400_000 * days)
    }

    mutating func step() throws {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: try fold()
        case 1..<4: try beginLook()
        case 4..<7: endLook()
        case 7..<13: try beginLookUp()
        case 13..<20: endLookUp()
        default: ask()
        }
        if chance(2000) { hot.lose() }
        // As after a rebuild.
        if chance(2000) { tables += 1 }
    }

    private mutating func fold() throws {
        let position = try harness.projection.position()
        guard position < head else { return }
        try harness.fold(to: Position(position.rawValue + Int64.random(in: 1...3, using: &random)))
    }

    private mutating func beginLook() throws {
        guard look == nil else { return }
        var touches = try loop.touches(after: hot.position)
        touches.tables = tables
        look = touches
    }

    private mutating func endLook() {
        if let look { hot.take(look) }
        look = nil
    }

    /// Any key, or one of a few that are asked for all the time.
    private mutating func question() -> Question {
        questions[Int.random(in: 0..<(chance(2) ? questions.count : 8), using: &random)]
    }

    private mutating func beginLookUp() throws {
        let question = question()
        let ticket = hot.ticket
        let found = try loop.ask([question])[0].get()
        lookUps.append(LookUp(question: question, found: found, instant: instant(), ticket: ticket))
    }

    private mutating func endLookUp() {
        guard !lookUps.isEmpty else { return }
        let done = lookUps.remove(at: Int.random(in: lookUps.indices, using: &random))
        hot.keep(
            done.found.entry(at: done.instant),
            for: done.question.cacheKey,
            tags: done.found.tags(done.question),
            done.ticket
        )
        stated = max(stated, done.found.position)
        _ = hot.noteStated(done.found.position)
    }

    private mutating func ask() {
        let (question, instant) = (question(), instant())
        let minPosition = chance(2) ? Position.start : stated
        guard let hit = hot.answer(to: question.cacheKey, at: instant, minPosition: minPosition) else { return }
        hits += 1
        let comment: Comment = "seed \(seed), \(question.key) in \(question.environment), position \(hit.position)"
        #expect(hit.position >= max(stated, minPosition), comment)
        stated = max(stated, hit.position)
        let facts = truth[Int(hit.position.rawValue)].customer(question.key, in: question.environment)
        #expect(hit.answer == facts.inOrder.rendered(at: instant), comment)
    }
}

extension Question {
    fileprivate var cacheKey: AnswerCache.Key { AnswerCache.Key(key, in: environment) }
}

extension CustomerReader.Answer {
    fileprivate func entry(at instant: Instant) -> AnswerCache.Entry {
        let rendered = facts.inOrder.rendered(at: instant)
        return AnswerCache.Entry(answer: rendered, position: position, since: instant, until: rendered.nextChangeAt)
    }

    fileprivate func tags(_ question: Question) -> Set<AnswerTag> {
        AnswerTag.all(question.key, facts, question.environment)
    }
}

extension CustomerFacts {
    fileprivate func rendered(at instant: Instant) -> RenderedAnswer {
        let set = EntitlementEvaluator.evaluate(self, catalog: .empty, at: instant)
        var json = JSONWriter()
        json.beginObject()
        set.writeMembers(to: &json)
        json.endObject()
        return RenderedAnswer(members: json.bytes, entityTag: "", nextChangeAt: set.nextChangeAt)
    }
}

extension Instant {
    fileprivate static let start = Instant(milliseconds: Payload.sampleSignedDate)
}
