import EventStore
import Foundation
import JWS
import LedgerCore
import TestSupport
import Testing

/// What comes out of the log is what came in, byte for byte.
@Suite("Append: byte for byte", .database, .timeLimit(.minutes(10)))
struct ByteExactTests {
    /// One of the real documents, as its index describes it.
    private struct RealDocument: Decodable {
        var file: String
        var kind: String
        var environment: String?
        var bundleId: String?
        var appAppleId: Int64?
        var expect: String
    }

    @Test(.needsSharedFolder) func `the documents that the App Store really signed come back`() async throws {
        let index = try Data(contentsOf: SharedFolder.file("appstore/real/index.json"))
        let list = try JSONDecoder().decode([RealDocument].self, from: index).filter {
            $0.expect == "valid" && $0.file.hasSuffix(".jws")
        }
        let units = try list.compactMap { try Self.unit($0) }
        #expect(units.count == 38)
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            for unit in units {
                let result = try log.append(unit.unit)
                for (appended, text) in zip(result[0], unit.texts) {
                    #expect(try log.text(at: appended.position.rawValue) == text)
                }
            }
            #expect(try log.problems() == [])
        }
    }

    private static func unit(_ document: RealDocument) throws -> (unit: AppendUnit, texts: [[UInt8]])? {
        let text = try String(contentsOf: SharedFolder.file("appstore/real/\(document.file)"), encoding: .utf8)
        let jws = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        let app = ServedApp(
            bundleID: BundleID(rawValue: document.bundleId ?? "com.example"),
            appAppleID: document.appAppleId,
            environments: [document.environment == "Production" ? .production : .sandbox]
        )
        let verifier = try Verifier(roots: try .appleRootG3(), apps: [app], clock: { SimulatedStore.now })
        guard document.kind == "notification" else {
            let verified = try verifier.verify(jws, as: document.kind == "renewal" ? .renewalInfo : .transaction).get()
            return (AppendUnit(verified, source: .device), [jws])
        }
        let verified = try verifier.verifyNotification(jws).get()
        return (AppendUnit(verified, source: .notification), [jws] + verified.inner.map(\.jws))
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `two hundred documents with hostile payloads come back`(_ seed: UInt64) async throws {
        let store = try SimulatedStore.shared()
        var hostile = HostilePayloads(seed: seed)
        var units: [(unit: AppendUnit, texts: [[UInt8]])] = []
        for number in 0..<200 {
            if number % 4 == 0 {
                let inner = try store.verified(hostile.transaction(number), as: .transaction)
                let notification = try store.verifiedNotification(hostile.notification(number, holding: inner.text))
                units.append(
                    (AppendUnit(notification, source: .notification), [notification.notification.jws, inner.jws])
                )
            } else {
                let document = try store.verified(hostile.transaction(number), as: .transaction)
                units.append((AppendUnit(document, source: .device), [document.jws]))
            }
        }
        let all = units
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            let results = try log.appender.append(all.map(\.unit), on: connection)
            for (result, unit) in zip(results, all) {
                for (appended, text) in zip(result, unit.texts) {
                    #expect(appended.outcome == .recorded, "seed \(seed)")
                    #expect(try log.text(at: appended.position.rawValue) == text, "seed \(seed)")
                }
            }
            #expect(try log.problems() == [], "seed \(seed)")
        }
    }

    @Test func `texts that no column can hold are kept in the payload alone`() async throws {
        let store = try SimulatedStore.shared()
        let long = String(repeating: "0123456789abcdef", count: 400)
        let documents = try [
            store.verified(.transaction("1", line: long), as: .transaction),
            store.verified(.transaction("2", line: long, ["appTransactionId": .text(long)]), as: .transaction),
        ]
        let notification = try store.verifiedNotification(
            .notification(
                SamplePurchase.notificationID,
                [:],
                ["notificationType": .text(long), "subtype": .text(long)]
            )
        )
        let units =
            documents.map { AppendUnit($0, source: .device) } + [AppendUnit(notification, source: .notification)]
        let texts = documents.map(\.jws) + [notification.notification.jws]
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            #expect(try log.appender.append(units, on: connection).map(\.positions) == [[1], [2], [3]])
            for (index, text) in texts.enumerated() { #expect(try log.text(at: Int64(index + 1)) == text) }
            #expect(try log.event(at: 1).event.originalTransactionID == nil)
            #expect(try log.event(at: 3).event.notificationType == nil)
        }
    }
}

/// Payloads as no serialiser of ours would write them.
private struct HostilePayloads {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private static let values = [
        #""\u0041\ud83d\ude00\/\\\" \b\f\n\r\t""#, "1e400", "-0", "0.10", "123456789012345678901234567890",
        #""日本語 Ünïcödé 𝔊 \u200d""#, "[[[[]]],{},null , true]", #"{"a":1,"a":2,"\u0061":3}"#, #""""#,
        "9223372036854775808", "1E-7", #""\u2028\u2029""#, #""eyJhbGciOiJub25lIn0.e30.""#,
    ]
    private static let blanks = ["", "", " ", "\n", "\t \r\n"]

    private mutating func pick(_ list: [String]) -> String { list[Int.random(in: list.indices, using: &random)] }

    /// Members of unknown names, some of them twice, with blanks between all tokens.
    private mutating func object(_ known: [(name: String, json: String)]) -> String {
        var members = known
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let member = ("x" + pick(["é", #"\u00e9"#, "1", "  "]), pick(Self.values))
            members += Bool.random(using: &random) ? [member, member] : [member]
        }
        members.shuffle(using: &random)
        let list = members.map { member in
            "\(pick(Self.blanks))\"\(member.name)\"\(pick(Self.blanks)):\(pick(Self.blanks))\(member.json)\(pick(Self.blanks))"
        }
        return pick(Self.blanks) + "{" + list.joined(separator: ",") + "}" + pick(Self.blanks)
    }

    mutating func transaction(_ number: Int) -> [UInt8] {
        Array(
            object([
                ("transactionId", "\"\(number)\""), ("originalTransactionId", "\"\(number)\""),
                ("bundleId", #""com.\u0065xample.app""#), ("environment", "\"Production\""),
                ("signedDate", "\(Payload.sampleSignedDate)"),
                ("productId", pick(Self.values.filter { $0.hasPrefix("\"") })),
            ]).utf8
        )
    }

    mutating func notification(_ number: Int, holding text: String) -> [UInt8] {
        let data = object([
            ("bundleId", "\"com.example.app\""), ("appAppleId", "1234567890"), ("environment", "\"Production\""),
            ("signedTransactionInfo", "\"\(text)\""),
        ])
        let digits = String(number)
        let id = "9782c9c7-7e86-5239-bb46-" + String(repeating: "0", count: 12 - digits.count) + digits
        return Array(
            object([
                ("notificationType", "\"日本\""), ("notificationUUID", "\"\(id.uppercased())\""),
                ("signedDate", "\(Payload.sampleSignedDate)"), ("data", data),
            ]).utf8
        )
    }
}
