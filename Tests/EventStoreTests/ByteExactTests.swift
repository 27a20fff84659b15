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

    /// The folders of fixtures whose files are compact JWS texts; the derived ones carry the suffix.
    private static let fixtureFolders = ["real", "fixtures/derived", "fixtures/mock_signed_data", "fixtures/xcode"]

    /// Every file of the shared folder that is a JWS, good or bad.
    private static func allTexts() throws -> [(name: String, text: [UInt8])] {
        try fixtureFolders.flatMap { folder in
            let url = SharedFolder.file("appstore/\(folder)")
            return try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false)).sorted()
                .filter { $0.hasSuffix(".jws") || !$0.contains(".") }
                .map { name in
                    let text = String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
                    return ("\(folder)/\(name)", Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8))
                }
        }
    }

    @Test(.needsSharedFolder) func `every fixture comes back, also those that no verifier takes`() async throws {
        let all = try Self.allTexts()
        #expect(all.count > 90)
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            // The same payload stands in several of them, so each gets an identity of its own.
            for (number, item) in all.enumerated() {
                let document = try VerifiedDocument(unverified: item.text, identity: number)
                let appended = try log.append(AppendUnit(document, source: .operator))[0][0]
                #expect(appended.outcome == .recorded, "\(item.name)")
                #expect(try log.text(at: appended.position.rawValue) == item.text, "\(item.name)")
            }
            #expect(try log.problems() == [])
        }
    }

    /// How many generated documents go through the log.
    static let generatedCount = Repetitions.count("LEDGERD_BYTE_EXACT", usually: 4_000)

    @Test func `generated documents with hostile texts come back`() async throws {
        let seed = UInt64.random(in: .min ... .max)
        print("generated documents: \(Self.generatedCount), seed \(seed)")
        let store = try SimulatedStore.shared()
        try await TestDatabase.current.asDaemon { connection throws in
            let log = LogHarness(connection)
            var hostile = try HostileDocuments(store: store, seed: seed)
            var (compared, verified) = (0, 0)
            while compared < Self.generatedCount {
                let batch = try (0..<128).map { _ in try hostile.next() }
                let results = try log.appender.append(batch.map(\.unit), on: connection)
                let events = try log.events(at: results.joined().map(\.position))
                for (result, document) in zip(results, batch) {
                    for (appended, text) in zip(result, document.texts) where appended.outcome != .duplicate {
                        let event = try #require(events[appended.position], "seed \(seed)")
                        try #require(try log.reader.receivedText(of: event) == text, "seed \(seed)")
                        compared += 1
                    }
                    verified += document.isVerified ? 1 : 0
                }
            }
            #expect(verified > Self.generatedCount / 4, "seed \(seed)")
            #expect(try log.reader.head().position.rawValue == Int64(compared), "seed \(seed)")
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
