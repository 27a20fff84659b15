import Postgres
import TestSupport
import Testing
import Threads

@Suite(.database, .timeLimit(.minutes(10)))
struct NotificationTests {
    @Test func `notifications come in order, with channel and payload`() async throws {
        let database = TestDatabase.current
        try await database.run { listener throws in
            let channel = #"Ledger "events""#
            try listener.listen(channel)
            let other = try database.connect()
            let notify = Statement(name: "notify", sql: "SELECT pg_notify($1, $2)")
            for payload in ["1", "", "3"] { try other.query(notify, [.text(channel), .text(payload)]) }
            var received: [Notification] = []
            while received.count < 3 { received += try listener.waitForNotifications(timeout: .seconds(30)) }
            #expect(received.map(\.payload) == ["1", "", "3"])
            #expect(received.allSatisfy { $0.channel == channel })
            #expect(try received.first?.processID == other.query(LossTests.processID).int32(0, 0))
        }
    }

    @Test func `a notification that came during a query is not lost`() async throws {
        try await TestDatabase.current.run { connection throws in
            try connection.listen("ledger")
            try connection.query(Statement(name: "notify", sql: "SELECT pg_notify('ledger', 'own')"))
            #expect(try connection.waitForNotifications(timeout: .seconds(30)).map(\.payload) == ["own"])
            #expect(try connection.waitForNotifications(timeout: .zero).isEmpty)
        }
    }

    @Test func `a wake ends a wait once, a stop ends it for good`() async throws {
        try await TestDatabase.current.run { connection throws in
            let signal = try WaitSignal()
            signal.wake()
            signal.wake()
            #expect(try connection.waitForNotifications(timeout: .seconds(30), signal: signal).isEmpty)
            #expect(try connection.waitForNotifications(timeout: .zero, signal: signal).isEmpty)
            #expect(!signal.wait(for: .zero))
            signal.stop()
            for _ in 0..<2 {
                #expect(throws: PostgresError.stopped) {
                    try connection.waitForNotifications(timeout: .seconds(30), signal: signal)
                }
                #expect(signal.wait(for: .seconds(30)))
            }
        }
    }

    @Test func `a wake from another thread ends a wait that has begun`() async throws {
        let database = TestDatabase.current
        let signal = try WaitSignal()
        async let waited: [Notification] = database.run { connection throws in
            try connection.waitForNotifications(timeout: .seconds(600), signal: signal)
        }
        signal.wake()
        #expect(try await waited.isEmpty)
    }

    @Test func `a wait ends when the session does`() async throws {
        let database = TestDatabase.current
        try await database.run { listener throws in
            try listener.listen("ledger")
            let process = try listener.query(LossTests.processID).int32(0, 0)
            try database.connect().query(LossTests.terminate, [.int4(process)])
            let error = #expect(throws: PostgresError.self) { try listener.waitForNotifications(timeout: .seconds(60)) }
            #expect(error?.isConnectionLost == true)
        }
    }
}
