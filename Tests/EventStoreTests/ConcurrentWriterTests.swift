import EventStore
import LedgerCore
import Postgres
import Synchronization
import TestSupport
import Testing

/// DESIGN invariant 3 with eight writers, whose transactions roll back and whose sessions are ended in the middle.
@Suite("Append: many writers", .database, .timeLimit(.minutes(10)))
struct ConcurrentWriterTests {
    /// Sessions ended while they append, and while they wait for the head.
    private static let kills = 16
    private static let writers = 8

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `positions are 1 to N without holes and every document is there once`(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let pool = try DocumentPool(purchases: 40, using: &random)
        let plans = (0..<Self.writers).map { _ in WriterPlan(pool, using: &random) }
        let database = TestDatabase.current
        try await database.run { connection throws in
            // The header is numbered before any transaction that rolls back could number it.
            _ = try Appender().append([pool.units[0]], on: connection)
            try ServerWatch(connection).pauseChanges(of: "ledger.events")
        }
        let course = Course(writers: Self.writers)
        let configuration = database.daemon
        try await withThrowingTaskGroup(of: Void.self) { group in
            for plan in plans {
                group.addTask {
                    try await offPool {
                        defer { course.writerEnded() }
                        try plan.run(configuration)
                    }
                }
            }
            group.addTask { try await database.run { try Self.kill($0, course) } }
            group.addTask { try await database.run { try Self.follow($0, course) } }
            try await group.waitForAll()
        }
        #expect(course.killed == Self.kills, "seed \(seed)")
        let sent = Set(plans.flatMap { $0.batches.joined() } + [0])
        try await database.run { connection throws in
            let log = LogHarness(connection)
            #expect(try log.problems() == [], "seed \(seed)")
            try pool.check(log, sent: sent, "seed \(seed)")
        }
    }

    /// Ends sessions in the middle of their appends: every other one after its insert, the others before.
    private static func kill(_ connection: Connection, _ course: Course) throws {
        let watch = ServerWatch(connection)
        for round in 0..<kills {
            try watch.hold()
            defer { try? watch.release() }
            // Somebody has inserted and cannot go on; others wait behind it.
            guard var victim = try watch.waitingBackend(for: .advisory, unless: { course.isOver }) else { return }
            if round.isMultiple(of: 2), let other = try watch.waitingBackend(for: .row, unless: { true }) {
                victim = other
            }
            try watch.terminate(victim)
            course.sessionEnded()
        }
    }

    /// Reads along: what was read is never followed by something before it.
    private static func follow(_ connection: Connection, _ course: Course) throws {
        let reader = EventReader(connection)
        var last: Int64 = 0
        while true {
            let wasOver = course.isOver
            let positions = try reader.events(after: Position(last), limit: 50).map(\.event.position.rawValue)
            #expect(positions == positions.indices.map { last + 1 + Int64($0) })
            last += Int64(positions.count)
            if wasOver, positions.isEmpty { return }
        }
    }
}

/// How far a run has come.
private final class Course: Sendable {
    private let running: Atomic<Int>
    private let ended = Atomic<Int>(0)

    init(writers: Int) { running = Atomic(writers) }

    func writerEnded() { running.subtract(1, ordering: .sequentiallyConsistent) }
    func sessionEnded() { ended.add(1, ordering: .relaxed) }
    /// Whether every writer is done.
    var isOver: Bool { running.load(ordering: .sequentiallyConsistent) == 0 }
    /// Sessions ended so far.
    var killed: Int { ended.load(ordering: .relaxed) }
}

/// Documents that meet each other: the same in several units, signed again, under a reused identity.
private struct DocumentPool {
    private(set) var units: [AppendUnit] = []
    /// The texts that may stand for a document: more than one where it was signed again.
    private var texts: [DocumentDigest: Set<[UInt8]>] = [:]

    init(purchases: Int, using random: inout SeededGenerator) throws {
        for number in 0..<purchases {
            let purchase = try SamplePurchase("\(1000 + number)")
            let id = "9782c9c7-7e86-5239-bb46-00000000\(1000 + number)"
            let notification = try purchase.notification(id)
            add(AppendUnit(notification, source: .notification), [notification.notification] + notification.inner)
            add(AppendUnit(purchase.transaction, source: .device), [purchase.transaction])
            add(AppendUnit(purchase.renewalInfo, source: .api), [purchase.renewalInfo])
            if Bool.random(using: &random) {
                let again = try purchase.resigned(purchase.transaction)
                add(AppendUnit(again, source: .device), [again])
                let other = try purchase.notification(
                    "9782c9c7-7e86-5239-bb46-10000000\(1000 + number)",
                    transaction: again
                )
                add(AppendUnit(other, source: .history), [other.notification] + other.inner)
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                let conflict = try purchase.notification(id, changes: ["notificationType": "REFUND"])
                add(AppendUnit(conflict, source: .notification), [conflict.notification] + conflict.inner)
            }
        }
    }

    private mutating func add(_ unit: AppendUnit, _ documents: [VerifiedDocument]) {
        units.append(unit)
        for document in documents { texts[document.digest, default: []].insert(document.jws) }
    }

    /// Every document that was sent is there, in a text that was sent; nothing else is.
    func check(_ log: LogHarness, sent: Set<Int>, _ comment: Comment) throws {
        let expected = Set(sent.flatMap { units[$0].events.map(\.digest) })
        let events = try log.all()
        #expect(Set(events.map(\.event.digest)) == expected, comment)
        #expect(events.count == expected.count, comment)
        for event in events {
            let text = try #require(try log.reader.receivedText(of: event))
            #expect(texts[event.event.digest]?.contains(text) == true, comment)
        }
    }
}

/// What one writer appends: batches of random size, with duplicates, some of them rolled back first.
private struct WriterPlan: Sendable {
    let units: [AppendUnit]
    private(set) var batches: [[Int]] = []
    private var rollbacks: Set<Int> = []

    /// Attempts for one batch: more than there are sessions ended.
    private static let attemptsMax = 100

    init(_ pool: DocumentPool, using random: inout SeededGenerator) {
        units = pool.units
        for batch in 0..<15 {
            let size = Int.random(in: 1...12, using: &random)
            batches.append((0..<size).map { _ in Int.random(in: pool.units.indices, using: &random) })
            if Int.random(in: 0..<4, using: &random) == 0 { rollbacks.insert(batch) }
        }
    }

    func run(_ configuration: PostgresConfiguration) throws {
        let appender = Appender()
        var connection = try Connection(configuration)
        defer { connection.close() }
        func persist(_ body: (Connection) throws(PostgresError) -> Void) throws {
            for _ in 0..<Self.attemptsMax {
                do throws(PostgresError) { return try body(connection) } catch {
                    guard error.isConnectionLost else { throw error }
                    connection = try Connection(configuration)
                }
            }
            Issue.record("a batch could not be stored in \(Self.attemptsMax) attempts")
        }
        for (number, batch) in batches.enumerated() {
            let list = batch.map { units[$0] }
            if rollbacks.contains(number) {
                try persist { connection throws(PostgresError) in
                    try connection.execute("BEGIN")
                    _ = try appender.append(list, on: connection)
                    try connection.execute("ROLLBACK")
                }
            }
            try persist { connection throws(PostgresError) in
                let results = try appender.append(list, on: connection)
                #expect(results.count == list.count)
            }
        }
    }
}
