import EventStore
import HTTPServer
import LedgerCore
import Synchronization
import TestSupport
import Testing

@testable import LedgerD

/// The warning about a notification that reuses an identity.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct ConflictLogTests {
    /// The lines about conflicts so far.
    private static func conflicts(_ file: LogFile) throws -> [JSONValue] {
        try file.lines().filter { $0["event.notificationUUID"] != nil }
    }

    @Test func `a conflict warns once, with its position and the identity`() async throws {
        let file = try LogFile()
        var setup = DaemonSetup()
        setup.log = file.log
        try await withDaemon(setup) { bench, client throws in
            let id = Sample.newUUID()
            let documents = try (1...2).map { number in
                try bench.store.notification(Sample.notification(type: "TEST \(number)", id: id))
            }
            for document in documents + documents { #expect(try client.notify(document).status == 200) }
            let lines = try Self.conflicts(file)
            #expect(lines.count == 1)
            #expect(lines.first?["level"]?.text == "warning")
            #expect(lines.first?["event.position"]?.text == "2")
            #expect(lines.first?["event.notificationUUID"]?.text == id)
        }
    }

    @Test func `a flood of conflicts writes ten lines a minute, and says how many it left out`() throws {
        let file = try LogFile()
        let seconds = Atomic<Int64>(0)
        let log = ConflictLog(file.log) {
            MonotonicTime(nanoseconds: seconds.load(ordering: .relaxed) * 1_000_000_000)
        }
        func note(_ numbers: ClosedRange<Int64>) {
            for number in numbers { log.note([Appended(position: Position(number), outcome: .conflict)], nil) }
        }
        note(1...25)
        log.note([Appended(position: Position(26), outcome: .knownConflict)], nil)
        seconds.store(59, ordering: .relaxed)
        note(27...27)
        #expect(try Self.conflicts(file).compactMap { $0["event.position"]?.text } == (1...10).map(String.init))
        seconds.store(60, ordering: .relaxed)
        note(28...29)
        let later = try Self.conflicts(file).dropFirst(10)
        #expect(later.compactMap { $0["event.position"]?.text } == ["28", "29"])
        #expect(later.compactMap { $0["conflicts.leftOut"]?.text } == ["16", "0"])
    }
}
