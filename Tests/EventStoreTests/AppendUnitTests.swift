import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

/// Units: neighbouring positions, all or nothing, each document once (DESIGN invariants 3 and 5).
@Suite("Append: units and duplicates", .database, .timeLimit(.minutes(10)))
struct AppendUnitTests {
    @Test func `a notification and its documents stand side by side and know each other`() async throws {
        let purchase = try SamplePurchase()
        let notification = try purchase.notification()
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let result = try log.append(AppendUnit(notification, source: .notification))
            #expect(result.map(\.positions) == [[1, 2, 3]])
            #expect(result.map(\.outcomes) == [[.recorded, .recorded, .recorded]])
            let events = try log.all()
            #expect(events.map(\.event.kind) == [.notification, .renewalInfo, .transaction])
            #expect(events.map(\.event.causedBy) == [nil, Position(1), Position(1)])
            #expect(events[0].innerPositions == [Position(2), Position(3)])
            #expect(events[0].innerOffsets == events[0].innerOffsets.sorted())
            #expect(try log.problems() == [])
        }
    }

    @Test func `the columns are those of the document`() async throws {
        let purchase = try SamplePurchase("777")
        let token = "0aa7a1f0-6d4e-4bd5-9a53-0123456789ab"
        let transaction = try purchase.store.verified(
            .transaction("777", ["appTransactionId": "70", "appAccountToken": .text(token.uppercased())]),
            as: .transaction
        )
        let notification = try purchase.notification(transaction: transaction, changes: ["subtype": "A_SUBTYPE"])
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            _ = try log.append(AppendUnit(notification, source: .history))
            let events = try log.all().map(\.event)
            #expect(events.map(\.source) == [.history, .history, .history])
            #expect(events.map(\.environment) == [.production, .production, .production])
            #expect(events[0].notificationID?.rawValue == SamplePurchase.notificationID)
            #expect(events[0].notificationType == "DID_RENEW" && events[0].subtype == "A_SUBTYPE")
            // In the order of the payload, where the renewal info comes first.
            for event in [events[0], events[2]] {
                #expect(event.bundleID?.rawValue == "com.example.app")
                #expect(event.transactionID?.rawValue == "777")
                #expect(event.originalTransactionID?.rawValue == "777")
                #expect(event.appTransactionID?.rawValue == "70")
                #expect(event.appAccountToken?.rawValue == token)
            }
            #expect(events[0].signedAt == notification.notification.claims.signedAt)
            #expect(events[2].signedAt == transaction.claims.signedAt)
            #expect(events[2].digest == transaction.digest && events[2].payload == transaction.payload)
            #expect(events.map(\.recordedAt) == [events[0].recordedAt, events[0].recordedAt, events[0].recordedAt])
            #expect(try log.reader.head().recordedAt == events[0].recordedAt)
        }
    }

    /// What ledger.append judges, because a constraint of the table would be parsed anew by each append.
    @Test(arguments: [
        ("events_unit", "6, 0, 5, substring(sha256('') FOR 16), 2"),
        ("events_unit", "6, 0, 5, substring(sha256('') FOR 16), NULL"),
        ("events_kind", "99, 1, 1, sha256(''), 1"), ("events_kind", "0, 1, 1, sha256(''), 1"),
        ("events_kind", "7, 1, 5, sha256(''), 1"),
        ("events_environment", "6, 3, 1, sha256(''), 1"), ("events_source", "6, 0, 6, sha256(''), 1"),
        ("events_digest", "6, 0, 5, sha256(''), 1"), ("events_digest", "6, 0, 5, '', 1"),
    ])
    func `what is no event is refused by the name of the rule`(rule: String, event: String) async throws {
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            do {
                try connection.execute(
                    """
                    SELECT a.* FROM (VALUES (\(event))) AS e (kind, environment, source, digest, unit), ledger.append(
                      ARRAY[e.unit::integer], ARRAY[e.kind::smallint], ARRAY[e.environment::smallint], ARRAY[e.source::smallint],
                      ARRAY[NULL::bigint], ARRAY[NULL::integer], ARRAY[NULL::uuid], ARRAY[NULL::uuid],
                      ARRAY[NULL::text], ARRAY[NULL::text], ARRAY[NULL::text], ARRAY[NULL::text], ARRAY[NULL::text],
                      ARRAY[NULL::text], ARRAY[e.digest::bytea], ARRAY[NULL::integer], ARRAY[NULL::bytea],
                      ARRAY[''::bytea], ARRAY[NULL::bytea]) a
                    """
                )
                Issue.record("it was stored")
            } catch let error as PostgresError {
                #expect(error.constraint == rule)
            }
            #expect(try log.reader.head().position == .start)
        }
    }

    @Test func `a unit that the database refuses leaves nothing, nor its batch`() async throws {
        let purchase = try SamplePurchase()
        var broken = AppendUnit(try purchase.notification(), source: .notification)
        broken.events[0].notificationID = nil
        let units = [AppendUnit(try SamplePurchase("5").transaction, source: .device), broken]
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            do {
                _ = try log.appender.append(units, on: connection)
                Issue.record("the broken unit was stored")
            } catch let error as PostgresError {
                #expect(error.constraint == "events_notification_identity")
            }
            #expect(try log.all().isEmpty)
            #expect(try log.reader.head().position == .start)
        }
    }

    @Test func `a document seen again is the same event, within a batch and later`() async throws {
        let purchase = try SamplePurchase()
        let unit = AppendUnit(purchase.transaction, source: .device)
        let again = AppendUnit(try purchase.resigned(purchase.transaction), source: .api)
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let first = try log.append(unit, again, unit)
            #expect(first.map(\.positions) == [[1], [1], [1]])
            #expect(first.map(\.outcomes) == [[.recorded], [.duplicate], [.duplicate]])
            let second = try log.append(again)
            #expect(second.map(\.positions) == [[1]] && second.map(\.outcomes) == [[.duplicate]])
            #expect(try log.all().map(\.event.source) == [.device])
            #expect(try log.text(at: 1) == purchase.transaction.jws)
        }
    }

    @Test func `a notification seen again is one event, within a batch and later`() async throws {
        let notification = try SamplePurchase().notification()
        let unit = AppendUnit(notification, source: .notification)
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let first = try log.append(unit, unit)
            #expect(first.map(\.positions) == [[1, 2, 3], [1, 2, 3]])
            #expect(first[1].outcomes == [.duplicate, .duplicate, .duplicate])
            #expect(try log.append(unit).first?.outcomes == [.duplicate, .duplicate, .duplicate])
            #expect(try log.problems() == [] && log.all().count == 3)
        }
    }

    @Test func `one notificationUUID in two environments is two notifications`() async throws {
        let store = try SimulatedStore.shared()
        let units = try ["Production", "Sandbox"].map { environment in
            AppendUnit(
                try store.verifiedNotification(
                    .notification(SamplePurchase.notificationID, ["environment": .text(environment)])
                ),
                source: .notification
            )
        }
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            #expect(try log.append(units[0], units[1]).map(\.outcomes) == [[.recorded], [.recorded]])
            #expect(try log.all().map(\.event.environment) == [.production, .sandbox])
        }
    }

    @Test func `one payload of two kinds, or in two environments, is two events`() async throws {
        func unit(_ kind: EventKind, _ environment: StoreEnvironment) throws -> AppendUnit {
            var unit = AppendUnit(try SamplePurchase().transaction, source: .device)
            unit.events[0].kind = kind
            unit.events[0].environment = environment
            return unit
        }
        let units = try [
            unit(.transaction, .production), unit(.transaction, .sandbox), unit(.renewalInfo, .production),
        ]
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let results = try log.appender.append(units, on: connection)
            #expect(results.map(\.positions) == [[1], [2], [3]])
        }
    }

    @Test func `events of our own are recorded as often as they come`() async throws {
        var event = NewEvent(
            kind: .catalog,
            environment: nil,
            source: .operator,
            digest: DocumentDigest(testPayload: [1]),
            payload: Array("{}".utf8)
        )
        event.signedAt = nil
        let unit = AppendUnit(events: [event])
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            #expect(try log.append(unit, unit).map(\.positions) == [[1], [2]])
            #expect(try log.all().map(\.event.environment) == [nil, nil])
            #expect(try log.text(at: 1) == nil)
        }
    }

    @Test(arguments: [nil, Instant(milliseconds: 0), Instant(milliseconds: 1)])
    func `a document is known again whether or not it says when it was signed`(signedAt: Instant?) async throws {
        var event = NewEvent(
            kind: .transaction,
            environment: .production,
            source: .device,
            digest: DocumentDigest(testPayload: [1]),
            payload: Array("{}".utf8)
        )
        event.signedAt = signedAt
        event.received = Array("as it came".utf8)
        let unit = AppendUnit(events: [event])
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            #expect(try log.append(unit, unit).map(\.outcomes) == [[.recorded], [.duplicate]])
            #expect(try log.append(unit).map(\.positions) == [[1]])
        }
    }
}
