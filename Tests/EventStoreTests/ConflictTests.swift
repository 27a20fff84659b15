import EventStore
import LedgerCore
import TestSupport
import Testing

/// A notification that reuses an identity with other content is kept and flagged (DESIGN invariant 5).
@Suite("Append: conflicts", .database, .timeLimit(.minutes(10)))
struct ConflictTests {
    /// A notification, and one of the same UUID with another type and a new transaction.
    private struct Pair {
        let first: VerifiedNotification
        let other: VerifiedNotification
        let newTransaction: VerifiedDocument

        init() throws {
            let purchase = try SamplePurchase()
            first = try purchase.notification()
            newTransaction = try purchase.store.verified(.transaction("101", line: "100"), as: .transaction)
            other = try purchase.notification(transaction: newTransaction, changes: ["notificationType": "REFUND"])
        }
    }

    @Test(arguments: [true, false])
    func `it is recorded once as a conflict, and its new documents with it`(_ isInOneBatch: Bool) async throws {
        let pair = try Pair()
        let units = [pair.first, pair.other].map { AppendUnit($0, source: .notification) }
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let results =
                try isInOneBatch ? log.append(units[0], units[1]) : log.append(units[0]) + log.append(units[1])
            #expect(results[0].outcomes == [.recorded, .recorded, .recorded])
            #expect(results[1].outcomes == [.conflict, .duplicate, .recorded])
            let events = try log.all()
            #expect(events.map(\.event.kind) == [.notification, .renewalInfo, .transaction, .conflict, .transaction])
            // The new document came with the conflict, not with the notification whose name it carries.
            #expect(events[4].event.causedBy == Position(4))
            #expect(events[4].event.transactionID == pair.newTransaction.claims.transactionID)
            #expect(try log.text(at: 4) == pair.other.notification.jws)
            #expect(try log.text(at: 1) == pair.first.notification.jws)
            #expect(try log.problems() == [])
        }
    }

    @Test(arguments: [true, false])
    func `the same conflict again is known`(_ isInOneBatch: Bool) async throws {
        let pair = try Pair()
        let units = [pair.first, pair.other, pair.other].map { AppendUnit($0, source: .notification) }
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let results =
                try isInOneBatch
                ? log.append(units[0], units[1], units[2])
                : log.append(units[0]) + log.append(units[1]) + log.append(units[2])
            #expect(results[2].outcomes.first == .knownConflict)
            #expect(results[2].outcomes.dropFirst().allSatisfy { $0 == .duplicate })
            #expect(results[2].first?.position == results[1].first?.position)
            #expect(try log.all().count == 5)
            // The first content is still what the identity stands for.
            #expect(try log.append(units[0]).first?.outcomes.first == .duplicate)
        }
    }

    @Test func `two different conflicts are two events`() async throws {
        let purchase = try SamplePurchase()
        let units = try ["A", "B", "C"].map { type in
            AppendUnit(try purchase.notification(changes: ["notificationType": .text(type)]), source: .notification)
        }
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let results = try log.append(units[0]) + log.append(units[1], units[2], units[1])
            #expect(results.compactMap(\.first?.outcome) == [.recorded, .conflict, .conflict, .knownConflict])
            #expect(try log.problems() == [])
        }
    }

    @Test func `the same content signed again is no conflict`() async throws {
        let purchase = try SamplePurchase()
        let first = try purchase.notification()
        let again = try purchase.store.verifiedNotification(first.notification.payload)
        #expect(again.notification.jws != first.notification.jws)
        let units = [first, again].map { AppendUnit($0, source: .notification) }
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            _ = try log.append(units[0])
            #expect(try log.append(units[1]).map(\.outcomes) == [[.duplicate, .duplicate, .duplicate]])
            #expect(try log.text(at: 1) == first.notification.jws)
        }
    }
}
