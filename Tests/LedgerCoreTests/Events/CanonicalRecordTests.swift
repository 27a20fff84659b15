import Foundation
import LedgerCore
import Testing

/// The canonical record: its bytes are under every leaf hash and every proof, so they are compared as they are.
@Suite struct CanonicalRecordTests {
    private static func event(_ change: (inout LedgerEvent) -> Void = { _ in }) throws -> LedgerEvent {
        var event = LedgerEvent(
            position: Position(1835),
            kind: .transaction,
            environment: .production,
            source: .notification,
            recordedAt: Instant(milliseconds: 1_767_571_200_123),
            digest: try #require(DocumentDigest([UInt8](repeating: 7, count: 16))),
            payload: Array("{}".utf8)
        )
        change(&event)
        return event
    }

    private static let digest = (0..<32).map { UInt8($0 * 8) }
    private static let hex = "0008101820283038404850586068707880889098a0a8b0b8c0c8d0d8e0e8f0f8"

    @Test func `the record of an event with every column`() throws {
        let event = try Self.event { event in
            event.signedAt = Instant(milliseconds: 1_767_571_200_000)
            event.causedBy = Position(1834)
            event.notificationID = NotificationID(rawValue: "5D12DDE6-AC41-4A06-9E45-731FB5D35AC3")
            event.notificationType = "REFUND"
            event.subtype = "é\u{8}\u{C}\n\u{1}\"\\/\u{7F}"
            event.bundleID = BundleID(rawValue: "com.example.app")
            event.transactionID = TransactionID(rawValue: "560001100000011")
            event.originalTransactionID = OriginalTransactionID(rawValue: "560001100000010")
            event.appTransactionID = AppTransactionID(rawValue: "704998812345670101")
            event.appAccountToken = AppAccountToken(rawValue: "E3D1C7A5-0000-4000-8000-00000000000F")
        }
        let expected =
            #"{"appAccountToken":"e3d1c7a5-0000-4000-8000-00000000000f","appTransactionId":"704998812345670101","#
            + #""bundleId":"com.example.app","causedBy":1834,"environment":"Production","jwsSha256":"\#(Self.hex)","#
            + #""kind":"transaction","notificationType":"REFUND","#
            + #""notificationUUID":"5d12dde6-ac41-4a06-9e45-731fb5d35ac3","#
            + #""originalTransactionId":"560001100000010","payloadSha256":null,"position":1835,"#
            + #""recordedAt":"2026-01-05T00:00:00.123Z","signedDate":"2026-01-05T00:00:00.000Z","#
            + #""source":"notification","subtype":"é\b\f\n\u0001\"\\/\#u{7F}","transactionId":"560001100000011"}"#
        let record = CanonicalRecord.json(of: event, .signedDocument(sha256: Self.digest))
        #expect(String(decoding: record, as: UTF8.self) == expected)
        #expect(CanonicalRecord.leafInput(of: event, .signedDocument(sha256: Self.digest)) == [0] + record)
    }

    @Test func `what an event does not have is null, and it has one digest`() throws {
        let event = try Self.event { event in
            event.kind = .catalog
            event.environment = nil
            event.source = .operator
        }
        let expected =
            #"{"appAccountToken":null,"appTransactionId":null,"bundleId":null,"causedBy":null,"environment":null,"#
            + #""jwsSha256":null,"kind":"catalog","notificationType":null,"notificationUUID":null,"#
            + #""originalTransactionId":null,"payloadSha256":"\#(Self.hex)","position":1835,"#
            + #""recordedAt":"2026-01-05T00:00:00.123Z","signedDate":null,"source":"operator","subtype":null,"#
            + #""transactionId":null}"#
        let record = CanonicalRecord.json(of: event, .payload(sha256: Self.digest))
        #expect(String(decoding: record, as: UTF8.self) == expected)
    }

    @Test func `the members stand in the order of RFC 8785, and how the row is stored does not matter`() throws {
        let record = CanonicalRecord.json(of: try Self.event(), .signedDocument(sha256: Self.digest))
        let text = String(decoding: record, as: UTF8.self)
        let names = text.matches(of: /"([A-Za-z0-9]+)":/).map { String($0.output.1) }
        #expect(names == names.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) } && names.count == 17)
        let storedOtherwise = try Self.event { event in event.payload = Array("other".utf8) }
        #expect(CanonicalRecord.json(of: storedOtherwise, .signedDocument(sha256: Self.digest)) == record)
    }
}
