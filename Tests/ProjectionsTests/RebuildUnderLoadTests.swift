import Dispatch
import EventStore
import LedgerCore
import Postgres
import Projections
import Synchronization
import TestSupport
import Testing

/// Rebuilds that switch while events come in and are read.
@Suite("Rebuild under load", .database, .timeLimit(.minutes(10)))
struct RebuildUnderLoadTests {
    private static let rebuilds = 4
    private static let piecesPerRebuild = 20

    @Test func `no answer is wrong, missing or stale while tables are rebuilt and switched`() async throws {
        let seed = UInt64.random(in: .min ... .max)
        print("rebuild under load: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let story = Story(seed: seed, count: Self.rebuilds * Self.piecesPerRebuild * 3, lines: 6)
        let questions = (0..<12).map { _ in TruthQuestion(liveAbout: story.events, using: &random) }
        let load = Load(pieces: try story.units(.shared()).cut(into: 3...3, using: &random), questions: questions)
        let database = TestDatabase.current
        let follower = try Follower(
            database.daemon("follower"),
            log: load.log,
            projected: load.projected,
            catalogs: CatalogShelf(initial: .empty)
        ) { _ in }
        try await withThrowingTaskGroup { group in
            group.addTask { try await offPool { try load.write(database) } }
            for _ in 0..<2 { group.addTask { try await offPool { try load.read(database) } } }
            group.addTask {
                try await database.run { owner in
                    defer { load.finish() }
                    for number in 1...Self.rebuilds {
                        load.allow(pieces: number * Self.piecesPerRebuild)
                        let rebuild = Rebuild(owner)
                        try rebuild.fold { _ in }
                        let differing = try rebuild.compare(replaces: true).differing
                        #expect(differing == [], "seed \(seed)")
                    }
                }
            }
            try await group.waitForAll()
        }
        follower.stop()
        try await database.project { harness in
            try harness.catchUp()
            try harness.expectTablesEqualLog("seed \(seed)")
            try load.judge(try harness.events(), "seed \(seed)")
        }
    }

    @Test(arguments: [true, false])
    func `live tables that lag behind are compared where the new ones stand`(_ replaces: Bool) async throws {
        let units = try Story(seed: 11, count: 60).units(.shared())
        let database = TestDatabase.current
        let head = try await database.project { harness in
            try harness.append(units)
            try harness.fold(to: Position(try harness.head.rawValue / 2))
            return try harness.head
        }
        let comparison = try await database.run { owner in
            let rebuild = Rebuild(owner)
            try rebuild.fold { _ in }
            return try rebuild.compare(replaces: replaces)
        }
        #expect(comparison.differing == [])
        #expect(comparison.position == head)
        try await database.project { harness in try harness.expectTablesEqualLog("after the comparison") }
    }

    @Test func `the switch waits for whoever stands at the cursor, and readers wait for nobody`() async throws {
        let units = try Story(seed: 8, count: 20).units(.shared())
        let database = TestDatabase.current
        try await database.project { harness in
            try harness.append(units)
            try harness.catchUp()
        }
        let other = try database.connect()
        // What a follower's statement holds from the moment its plan names the live table.
        try other.execute("BEGIN; LOCK TABLE projection.cursors IN ROW SHARE MODE")
        let isOver = Mutex(false)
        async let comparison = database.run { owner in
            defer { isOver.withLock { $0 = true } }
            let rebuild = Rebuild(owner)
            try rebuild.fold { _ in }
            return try rebuild.compare(replaces: true)
        }
        try await database.run { owner throws in
            let backend = try ServerWatch(owner).waitingBackend(for: .table) { isOver.withLock { $0 } }
            #expect(backend != nil, "the switch did not wait")
            #expect(try owner.query(Self.readCursor).int64(0, 0) > 0)
        }
        try other.execute("COMMIT")
        other.close()
        #expect(try await comparison.differing == [])
    }

    private static let readCursor = Statement(
        name: "test_read_cursor",
        sql: "SELECT position FROM projection.cursors WHERE name = 'facts'",
        isReadOnly: true
    )
}

/// The writer and the readers around a rebuild, and what the readers were told.
private final class Load: Sendable {
    /// What a question was answered with, and where the answer stood.
    private struct Told: Hashable {
        var question: TruthQuestion
        var position: Position
        var answer: [UInt8]
    }

    private struct State {
        var told: Set<Told> = []
        var answers = 0
        var isOver = false
        var allowed = 0
    }

    let log = ProgressBoard()
    let projected = ProgressBoard()
    private let pieces: [[AppendUnit]]
    private let questions: [TruthQuestion]
    private let state = Mutex(State())
    private let permission = DispatchSemaphore(value: 0)

    init(pieces: [[AppendUnit]], questions: [TruthQuestion]) {
        self.pieces = pieces
        self.questions = questions
    }

    /// Lets the writer go on to a piece, so that the pieces are spread over the rebuilds.
    func allow(pieces count: Int) {
        let more = state.withLock { state in
            defer { state.allowed = count }
            return count - state.allowed
        }
        for _ in 0..<max(0, more) { permission.signal() }
    }

    /// Ends the readers, and lets the writer end.
    func finish() {
        state.withLock { $0.isOver = true }
        allow(pieces: pieces.count)
    }

    func write(_ database: TestDatabase) throws {
        let harness = ProjectionHarness(try Connection(database.daemon("writer")))
        defer { harness.connection.close() }
        for (number, piece) in pieces.enumerated() {
            permission.wait()
            // A version of the catalog is an event that the tables fold too; the same one means the same.
            if number == pieces.count / 2 { try harness.record(catalog: TruthQuestion.catalogText) }
            try harness.append(piece)
            log.appended(upTo: try harness.head)
        }
    }

    /// Asks all questions again and again; each answer must stand at least where the projection was known to be.
    func read(_ database: TestDatabase) throws {
        let catalog = try Catalog(json: Array(TruthQuestion.catalogText.utf8))
        let loop = try ReadLoop(database.daemon("reader"), connections: 2)
        defer { loop.close() }
        var newest = Position.start
        while !state.withLock({ $0.isOver }) {
            let floor = max(newest, projected.position)
            let answers = try loop.ask(questions.map { Question(key: $0.key, environment: $0.environment) })
            for (question, answer) in zip(questions, answers) {
                let answer = try answer.get()
                #expect(answer.position >= floor, "stale: \(question)")
                newest = max(newest, answer.position)
                let bytes = answer.facts.answer(to: question, catalog, at: answer.position)
                state.withLock { state in
                    state.answers += 1
                    state.told.insert(Told(question: question, position: answer.position, answer: bytes))
                }
            }
        }
    }

    /// Compares every answer with a full replay of the events up to its position.
    func judge(_ events: [LedgerEvent], _ comment: Comment) throws {
        let truth = try Truth(events, initial: try NaiveCatalog(TruthQuestion.catalogText))
        let (told, count) = state.withLock { ($0.told, $0.answers) }
        print("\(count) answers, \(told.count) of them different, over \(events.count) events")
        #expect(Set(told.map(\.position)).count > 3, comment)
        #expect(Set(told.map { [$0.question.description, "\($0.position)"] }).count == told.count, comment)
        for told in told {
            var question = told.question
            question.knownAt = .position(told.position)
            #expect(truth.fault(of: try JSONReader.value(of: told.answer), to: question) == nil, comment)
        }
    }
}

extension TruthQuestion {
    /// A question that the tables answer: at an instant by which everything is signed, with all that is known.
    fileprivate init(liveAbout events: [LedgerEvent], using random: inout SeededGenerator) {
        self.init(about: events, using: &random)
        at = Instant(milliseconds: max(at.milliseconds, events.compactMap(\.signedAt?.milliseconds).max() ?? 0))
        knownAt = nil
    }
}
