import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

/// What somebody took out of the log, past the triggers, is reported and never replaced by an empty text.
@Suite("Log: corruption", .database, .timeLimit(.minutes(10)))
struct LogCorruptionTests {
    private func finding(_ sql: String) async throws -> (LogCorruption?, LogCorruption?) {
        let unit = try AppendUnit(SamplePurchase().notification(), source: .notification)
        let database = TestDatabase.current
        try await database.asDaemon { connection in _ = try LogHarness(connection).append(unit) }
        return try await database.run { owner throws in
            // As a superuser who switches the triggers off.
            try owner.execute("SET session_replication_role = replica; \(sql)")
            let log = LogHarness(owner)
            let event = try log.event(at: 1)
            #expect(event.innerPositions == [Position(2), Position(3)])
            return (
                #expect(throws: LogCorruption.self) { try log.reader.receivedText(of: event) },
                #expect(throws: LogCorruption.self) { try log.reader.wholePayload(of: event) }
            )
        }
    }

    @Test func `a document that is not there`() async throws {
        let (text, payload) = try await finding("DELETE FROM ledger.events WHERE position = 3")
        #expect(text?.position == Position(1) && text?.finding == .missingDocument(at: Position(3)))
        #expect(payload == text)
        #expect(
            text?.description == """
                The event at position 1 refers to a signed document at position 3, which is not there: the log was \
                changed from outside; check it with ledgerd verify.
                """
        )
    }

    @Test func `a document that is none any more`() async throws {
        let (text, payload) = try await finding(
            "UPDATE ledger.events SET kind = 6, header_id = NULL, signature = NULL WHERE position = 2"
        )
        #expect(text?.position == Position(1) && text?.finding == .missingDocument(at: Position(2)))
        #expect(payload == text)
    }

    @Test func `a header segment that is not there`() async throws {
        let (text, payload) = try await finding("DELETE FROM ledger.header_segments")
        #expect(text?.finding == .missingHeader(id: 1) && text?.position == Position(1))
        #expect(payload?.finding == .missingHeader(id: 1) && payload?.position == Position(2))
        #expect(
            text?.description == """
                The event at position 1 refers to the header segment 1, which is not there: the log was changed from \
                outside; check it with ledgerd verify.
                """
        )
    }
}
