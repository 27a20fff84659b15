import EventStore
import JWS
import LedgerCore
import StoreSimulator
import TestSupport
import Testing

/// References to inner documents: used where they give the received text back, and only there.
@Suite("Append: references", .database, .timeLimit(.minutes(10)))
struct ReferenceTests {
    private func unit(_ document: VerifiedDocument) -> AppendUnit { AppendUnit(document, source: .device) }
    private func unit(_ notification: VerifiedNotification) -> AppendUnit {
        AppendUnit(notification, source: .notification)
    }

    @Test(arguments: [true, false])
    func `a document that a device brought before is referred to`(_ isInOneBatch: Bool) async throws {
        let purchase = try SamplePurchase()
        let notification = try purchase.notification()
        let units = [unit(purchase.transaction), unit(notification)]
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let results =
                try isInOneBatch ? log.append(units[0], units[1]) : log.append(units[0]) + log.append(units[1])
            #expect(Set(results[1].positions) == [1, 2, 3])
            #expect(results[1].outcomes.first == .recorded)
            let stored = try log.event(at: 2)
            #expect(stored.innerPositions.count == 2)
            #expect(stored.event.payload.count < 1000, "the texts were left in the payload")
            #expect(try log.text(at: 2) == notification.notification.jws)
            #expect(try log.reader.wholePayload(of: stored) == notification.notification.payload)
            // It came with the device, not with the notification.
            #expect(try log.event(at: 1).event.causedBy == nil)
            #expect(try log.problems() == [])
        }
    }

    @Test(arguments: [true, false])
    func `a document known with another signature stays in the payload`(_ isInOneBatch: Bool) async throws {
        let purchase = try SamplePurchase()
        let resigned = try purchase.resigned(purchase.transaction)
        let notification = try purchase.notification(transaction: resigned)
        let units = [unit(purchase.transaction), unit(notification)]
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let results =
                try isInOneBatch ? log.append(units[0], units[1]) : log.append(units[0]) + log.append(units[1])
            #expect(results[1].outcomes.filter { $0 == .duplicate }.count == 1)
            let stored = try log.event(at: results[1][0].position.rawValue)
            #expect(stored.innerPositions.isEmpty)
            #expect(stored.event.payload == notification.notification.payload)
            #expect(try log.reader.receivedText(of: stored) == notification.notification.jws)
            #expect(try log.text(at: 1) == purchase.transaction.jws)
            #expect(try log.problems() == [])
            // The same notification again changes nothing.
            #expect(try log.append(units[1]).first?.outcomes == [.duplicate, .duplicate, .duplicate])
        }
    }

    @Test func `a document known under another certificate stays in the payload`() async throws {
        let purchase = try SamplePurchase()
        let rotated = try purchase.store.rotatedSigner()
        let other = try purchase.store.verifier.verify(
            try rotated.sign(purchase.transaction.payload),
            as: .transaction
        ).get()
        let notification = try purchase.notification(transaction: other)
        let units = [unit(purchase.transaction), unit(notification)]
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            _ = try log.append(units[0])
            let result = try log.append(units[1])
            #expect(try log.text(at: result[0][0].position.rawValue) == notification.notification.jws)
            #expect(try log.problems() == [])
        }
    }

    /// The first notification is refused because its renewal info is known with another signature; its transaction
    /// then comes from a device with another signature than the second notification's.
    @Test func `a refused unit before it does not mislead a reference`() async throws {
        let purchase = try SamplePurchase()
        let known = purchase.renewalInfo
        let first = try purchase.notification(renewalInfo: purchase.resigned(known))
        let device = try purchase.resigned(purchase.transaction)
        let second = try purchase.notification("9782c9c7-7e86-5239-bb46-a043b075cb4c", renewalInfo: known)
        let units = [unit(known), unit(first), unit(device), unit(second)]
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            _ = try log.append(units[0])
            let results = try log.append(units[1], units[2], units[3])
            #expect(try log.text(at: results[0][0].position.rawValue) == first.notification.jws)
            #expect(try log.text(at: results[2][0].position.rawValue) == second.notification.jws)
            #expect(try log.problems() == [])
        }
    }

    @Test(arguments: [true, false])
    func `a document whose text the columns do not give back is not referred to`(_ isInOneBatch: Bool) async throws {
        let purchase = try SamplePurchase()
        var odd = unit(purchase.transaction)
        let oddText = purchase.transaction.jws + Array("=".utf8)
        odd.events[0].received = oddText
        let notification = try purchase.notification()
        let units = [odd, unit(notification)]
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let results =
                try isInOneBatch ? log.append(units[0], units[1]) : log.append(units[0]) + log.append(units[1])
            #expect(try log.text(at: 1) == oddText)
            #expect(try log.text(at: results[1][0].position.rawValue) == notification.notification.jws)
        }
    }

    @Test func `a document twice in one notification is one event, put back in both places`() async throws {
        let purchase = try SamplePurchase()
        let app: Payload = [
            "bundleId": "com.example.app", "appAppleId": 1_234_567_890, "environment": "Production",
            "signedTransactionInfo": .text(purchase.transaction.text),
        ]
        let notification = try purchase.notification(changes: ["appData": .object(app)])
        #expect(notification.inner.count == 3)
        let unit = unit(notification)
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let result = try log.append(unit)
            #expect(Set(result[0].positions) == [1, 2, 3])
            #expect(try log.event(at: 1).innerPositions.count == 3)
            #expect(try log.text(at: 1) == notification.notification.jws)
        }
    }

    @Test func `a text that the payload escapes stays in the payload`() async throws {
        let purchase = try SamplePurchase()
        let text = purchase.transaction.text
        let escaped = #""\u0065"# + text.dropFirst() + "\""
        try #require(text.first == "e")
        let notification = try purchase.store.verifiedNotification(
            .notification(SamplePurchase.notificationID, ["signedTransactionInfo": .json(escaped)])
        )
        #expect(notification.inner.map(\.jws) == [purchase.transaction.jws])
        let unit = unit(notification)
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            #expect(try log.append(unit).map(\.positions) == [[1, 2]])
            #expect(try log.event(at: 1).innerPositions.isEmpty)
            #expect(try log.text(at: 1) == notification.notification.jws)
            #expect(try log.text(at: 2) == purchase.transaction.jws)
        }
    }

    @Test func `a document without facts stays in the payload and is no event`() async throws {
        let purchase = try SamplePurchase()
        let empty = String(decoding: try purchase.store.signer.sign(Array("null".utf8)), as: UTF8.self)
        let notification = try purchase.store.verifiedNotification(
            .notification(
                SamplePurchase.notificationID,
                ["signedTransactionInfo": .text(purchase.transaction.text), "signedRenewalInfo": .text(empty)]
            )
        )
        #expect(notification.withoutFacts.count == 1)
        let unit = unit(notification)
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            #expect(try log.append(unit).map(\.positions) == [[1, 2]])
            let stored = try log.event(at: 1)
            #expect(stored.innerPositions == [Position(2)])
            #expect(String(decoding: stored.event.payload, as: UTF8.self).contains(empty))
            #expect(try log.text(at: 1) == notification.notification.jws)
        }
    }

    @Test func `a header is kept once`() async throws {
        let purchases = try (0..<5).map { try SamplePurchase("\($0)") }
        let units = try purchases.map {
            unit(
                try $0.notification(
                    "9782c9c7-7e86-5239-bb46-00000000000\($0.transaction.claims.transactionID?.rawValue ?? "")"
                )
            )
        }
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            _ = try log.appender.append(units, on: connection)
            _ = try Appender().append(units, on: connection)
            #expect(Set(try log.all().map(\.headerID)) == [1])
            #expect(try log.all().count == 15)
        }
    }
}
