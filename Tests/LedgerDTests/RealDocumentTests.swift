import EventStore
import Foundation
import JWS
import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// Documents that the App Store really signed, sent to the daemon under Apple Root CA – G3 by its fingerprint alone.
@Suite(.needsSharedFolder, .daemons, .database, .timeLimit(.minutes(10)))
struct RealDocumentTests {
    struct Item: Decodable, Sendable, CustomTestStringConvertible {
        let file: String
        let kind: String
        let environment: StoreEnvironment?
        let bundleId: String?
        let appAppleId: Int64?
        let expect: String
        let notificationUUID: String?
        let transactionId: String?
        let originalTransactionId: String?
        var testDescription: String { file }

        func text() throws -> [UInt8] {
            let data = try Data(contentsOf: SharedFolder.file("appstore/real/\(file)"))
            return Array(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        }
    }

    /// A receipt is among the files, whose entry has no app number and is left out.
    private struct Entry: Decodable {
        let item: Item?
        init(from decoder: any Decoder) throws { item = try? Item(from: decoder) }
    }

    static func items(_ kind: String, expected: String = "valid") throws -> [Item] {
        let data = try Data(contentsOf: SharedFolder.file("appstore/real/index.json"))
        return try JSONDecoder().decode([Entry].self, from: data).compactMap(\.item)
            .filter { $0.kind == kind && $0.expect == expected }
    }

    /// Serves every app of the index in its environments.
    static func setup() throws -> DaemonSetup {
        var apps: [String: (number: Int64?, environments: Set<StoreEnvironment>)] = [:]
        for kind in ["notification", "transaction", "apptransaction"] {
            for item in try items(kind) + items(kind, expected: "invalid") {
                guard let bundle = item.bundleId else { continue }
                var app = apps[bundle] ?? (nil, [])
                app.number = app.number ?? item.appAppleId
                app.environments.insert(item.environment == .production ? .production : .sandbox)
                apps[bundle] = app
            }
        }
        var setup = DaemonSetup()
        setup.rootEntries = [TrustedRoots.appleRootG3Fingerprint]
        setup.apps = apps.map {
            ServedApp(
                bundleID: BundleID(rawValue: $0.key),
                appAppleID: $0.value.number,
                environments: $0.value.environments
            )
        }
        return setup
    }

    @Test func `every valid document is recorded once, whichever way it comes, and comes back byte for byte`()
        async throws
    {
        try await withDaemon(try Self.setup()) { bench, client throws in
            let notifications = try Self.items("notification")
            let transactions = try Self.items("transaction")
            #expect(notifications.count == 16 && transactions.count == 13)
            // What must be in the log afterwards: the documents by kind and payload segment.
            var expected: [EventKind: Set<[UInt8]>] = [:]
            for item in notifications {
                let text = try item.text()
                let answer = try client.notify(text)
                #expect(answer["outcome"]?.text == "recorded", "\(item.file): \(answer.text)")
                #expect(answer["notificationUUID"]?.text == item.notificationUUID)
                expected[.notification, default: []].insert(Self.payloadSegment(text))
                for (kind, inner) in try Self.innerDocuments(text) {
                    expected[kind, default: []].insert(Self.payloadSegment(inner))
                }
            }
            var isKnown = expected
            for item in transactions {
                let text = try item.text()
                let result = try client.post(transactions: [text])["results"]?[0]
                let isNew = isKnown[.transaction, default: []].insert(Self.payloadSegment(text)).inserted
                #expect(result?["outcome"]?.text == (isNew ? "recorded" : "duplicate"), "\(item.file)")
                #expect(result?["transactionId"]?.text == item.transactionId)
                expected[.transaction, default: []].insert(Self.payloadSegment(text))
            }
            let log = try LedgerState(bench.database)
            #expect(log.counts == expected.mapValues(\.count))
            #expect(log.positions == Array(1...Int64(log.events.count)))
            let texts = Set(try LedgerState.receivedTexts(bench.database).compactMap { $0.map(Self.payloadSegment) })
            for (kind, payloads) in expected { #expect(payloads.isSubset(of: texts), "\(kind)") }
            let received = Set(try LedgerState.receivedTexts(bench.database))
            for item in notifications { #expect(received.contains(try item.text()), "\(item.file)") }
        }
    }

    @Test func `renewal infos are taken when their line is known, and else not`() async throws {
        try await withDaemon(try Self.setup()) { bench, client throws in
            let known = try Self.items("notification") + Self.items("transaction")
            for item in try Self.items("transaction") { _ = try client.post(transactions: [try item.text()]) }
            for item in try Self.items("notification") { _ = try client.notify(try item.text()) }
            let lines = Set(known.compactMap(\.originalTransactionId))
            var outcomes: Set<Bool> = []
            for item in try Self.items("renewal") {
                let line = try #require(item.originalTransactionId)
                let answer = try client.post(renewals: [try item.text()])
                outcomes.insert(lines.contains(line))
                if lines.contains(line) {
                    #expect(answer.status == 200, "\(item.file): \(answer.text)")
                    #expect(answer["results"]?[0]?["safeToFinish"]?.boolean == true)
                } else {
                    expectProblem(answer, 400, "lineUnknown")
                }
            }
            #expect(outcomes == [true, false])
        }
    }

    @Test func `a renewal info is taken beside a transaction of its line`() async throws {
        try await withDaemon(try Self.setup()) { _, client throws in
            for renewal in try Self.items("renewal") {
                let transaction = try Self.items("transaction")
                    .first { $0.originalTransactionId == renewal.originalTransactionId }
                guard let transaction else { continue }
                let answer = try client.post(transactions: [try transaction.text()], renewals: [try renewal.text()])
                #expect(
                    answer["results"]?.items.map { $0["safeToFinish"]?.boolean } == [true, true],
                    "\(renewal.file)"
                )
            }
        }
    }

    @Test(arguments: [
        ("55-transaction.jws", "environmentMismatch"),  // genuine, of 2021, without environment
        ("56-renewal.jws", "malformed"),  // genuine, but its payload is null
        ("58-transaction.jws", "chainLength"),  // damaged: two certificates were spliced into one
        ("59-notification.jws", "untrustedRoot"),  // of another vendor, in the same form
        ("60-apptransaction.jws", "chainLength"),  // signed by Xcode
        ("61-transaction.jws", "environmentMismatch"),  // signed by Xcode
    ])
    func `a document that is not to be had is refused with its code`(_ file: String, _ code: String) async throws {
        try await withDaemon(try Self.setup()) { bench, client throws in
            let kind = String(file.dropFirst(3).prefix { $0 != "." })
            let item = try #require(try Self.items(kind, expected: "invalid").first { $0.file == file })
            let text = try item.text()
            let answer =
                switch kind {
                case "notification": try client.notify(text)
                case "renewal": try client.post(renewals: [text])
                case "apptransaction": try client.post(app: text)
                default: try client.post(transactions: [text])
                }
            expectProblem(answer, 400, code)
            #expect(try LedgerState(bench.database).isEmpty)
        }
    }

    @Test func `a customer's real history gives the entitlements that it tells of`() async throws {
        try await withDaemon(try Self.setup()) { _, client throws in
            var position: Int64 = 0
            // Newest first: the order of arrival does not matter.
            for item in try Self.items("notification").reversed() {
                position = max(position, try client.notify(try item.text()).position ?? 0)
            }
            // 23: REFUND of the purchase that 22 is about, signed on 2025-10-16.
            let line = "originalTransactionId=2000001024993299&environment=Sandbox&minPosition=\(position)"
            let now = try client.entitlements(line)
            #expect(now["subscriptions"]?.items.count == 1)
            #expect(now["entitlements"]?.items.isEmpty == true)
            // 19: upgraded on 2025-10-06; a sandbox year takes an hour.
            let then = try client.entitlements(line + "&at=2025-10-06T05:17:00Z")
            #expect(then["subscriptions"]?[0]?["status"]?.integer == 1, "\(then.text)")
            #expect(then["entitlements"]?.items.count == 1)
            let production = try client.entitlements("originalTransactionId=2000001024993299&minPosition=\(position)")
            #expect(production["subscriptions"]?.items.isEmpty == true)
        }
    }

    private static func payloadSegment(_ text: [UInt8]) -> [UInt8] {
        let segments = text.split(separator: UInt8(ascii: "."))
        return segments.count == 3 ? Array(segments[1]) : []
    }

    /// The documents inside a notification.
    private static func innerDocuments(_ text: [UInt8]) throws -> [(EventKind, [UInt8])] {
        let payload = try #require(Base64.decode(payloadSegment(text)[...], .url))
        let data = try JSONReader.value(of: payload)["data"]
        let members: [(EventKind, String)] = [
            (.transaction, "signedTransactionInfo"), (.renewalInfo, "signedRenewalInfo"),
        ]
        return members.compactMap { kind, name in (data?[name]?.text).map { (kind, Array($0.utf8)) } }
    }
}
