import LedgerCore
import StoreSimulator
import TestSupport
import Testing

@testable import LedgerD

/// Every code with which a document can be refused because of what it is, through both routes.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct RefusalTests {
    /// Chains that the daemon trusts and that break a rule all the same, and one that it does not know.
    struct OddChains: Sendable {
        let unmarkedIntermediate: TestStore
        let noAuthority: TestStore
        let stranger: TestStore

        static let shared = Result { try OddChains() }

        private init() throws {
            var unmarked = TestChain.Shape()
            unmarked.intermediateMarkers = []
            unmarkedIntermediate = TestStore(try TestChain(unmarked))
            var noAuthority = TestChain.Shape()
            noAuthority.intermediateIsAuthority = false
            self.noAuthority = TestStore(try TestChain(noAuthority))
            stranger = TestStore(try TestChain())
        }

        var trustedRoots: [[UInt8]] { [unmarkedIntermediate.chain.root, noAuthority.chain.root] }
    }

    /// How a document is made, and the code it gets.
    struct Refused: Sendable, CustomTestStringConvertible {
        let name: String
        let code: String
        var status = 400
        /// Makes the document of a payload.
        let make: @Sendable (TestStore, OddChains, JSONValue) throws -> [UInt8]

        init(
            _ name: String,
            _ code: String,
            status: Int = 400,
            _ make: @escaping @Sendable (TestStore, OddChains, JSONValue) throws -> [UInt8]
        ) {
            (self.name, self.code, self.status, self.make) = (name, code, status, make)
        }

        var testDescription: String { name }
    }

    /// What is wrong with the signature or its header; the payload does not matter.
    static let signatures: [Refused] = [
        Refused("two segments", "malformed") { store, _, payload in
            Array(try store.document(payload).split(separator: UInt8(ascii: ".")).prefix(2).joined(separator: [0x2E]))
        },
        Refused("not base64url", "malformed") { store, _, payload in Array("!.!.!".utf8) },
        Refused("empty", "malformed") { _, _, _ in [] },
        Refused("payload is no object", "malformed") { store, _, _ in try store.document([1, 2]) },
        Refused("header is no object", "malformed") { store, _, payload in
            try store.document(payload, header: "ES256")
        },
        Refused("alg none", "algorithmNotAllowed") { store, _, payload in
            try store.document(payload, header: store.header.with(["alg": "none"]))
        },
        Refused("alg HS256", "algorithmNotAllowed") { store, _, payload in
            try store.document(payload, header: store.header.with(["alg": "HS256"]))
        },
        Refused("no chain", "missingChain") { store, _, payload in
            try store.document(payload, header: ["alg": "ES256"])
        },
        Refused("empty chain", "missingChain") { store, _, payload in
            try store.document(payload, header: store.header.with(["x5c": []]))
        },
        Refused("chain of two", "chainLength") { store, _, payload in
            try store.document(payload, tampering: .spoiling { $0.x5c = .init(length: 2) })
        },
        Refused("chain of four", "chainLength") { store, _, payload in
            try store.document(payload, tampering: .spoiling { $0.x5c = .init(length: 4) })
        },
        Refused("no certificates in the chain", "invalidCertificate") { store, _, payload in
            try store.document(payload, header: store.header.with(["x5c": ["AAAA", "AAAA", "AAAA"]]))
        },
        Refused("leaf and intermediate exchanged", "invalidChain") { store, _, payload in
            try store.document(
                payload,
                tampering: .spoiling { $0.x5c = .init(entries: [.intermediate, .leaf, .root]) }
            )
        },
        Refused("an intermediate that is no authority", "invalidChain") { _, odd, payload in
            try odd.noAuthority.document(payload)
        },
        Refused("a leaf without its marker", "leafMarkerMissing") { store, _, payload in
            try store.document(
                payload,
                tampering: .spoiling { $0.leaf = .init(omitExtension: "1.2.840.113635.100.6.11.1") }
            )
        },
        Refused("an intermediate without its marker", "intermediateMarkerMissing") { _, odd, payload in
            try odd.unmarkedIntermediate.document(payload)
        },
        Refused("a leaf that had expired", "certificateExpired") { store, _, payload in
            let end = Instant.testNow.adding(days: -400).milliseconds
            return try store.document(payload, tampering: .spoiling { $0.leaf = .init(notAfter: end) })
        },
        Refused("another root", "untrustedRoot") { _, odd, payload in try odd.stranger.document(payload) },
        Refused("another key", "badSignature") { store, _, payload in
            try store.document(payload, tampering: .spoiling { $0.signature = .otherKey })
        },
        Refused("no signature", "badSignature") { store, _, payload in
            try store.document(payload, tampering: .spoiling { $0.signature = .empty })
        },
        Refused("a signature in DER", "badSignature") { store, _, payload in
            try store.document(payload, tampering: .spoiling { $0.signature = .der })
        },
        Refused("one byte of the payload changed", "badSignature") { store, _, payload in
            let good = try store.document(payload).split(separator: UInt8(ascii: "."))
            let other = try store.document(payload.with(["price": 1])).split(separator: UInt8(ascii: "."))
            return Array([good[0], other[1], good[2]].joined(separator: [0x2E]))
        },
    ]

    /// What is wrong with a signed notification.
    static let notifications: [Refused] = [
        Refused("another app", "bundleMismatch") { store, _, body in
            try store.notification(body.with(["data": body["data"]?.with(["bundleId": "com.example.other"])]))
        },
        Refused("no app", "bundleMismatch") { store, _, body in
            try store.document(body.with(["data": nil]))
        },
        Refused("another app number", "appIdMismatch") { store, _, body in
            try store.notification(body.with(["data": body["data"]?.with(["appAppleId": 1])]))
        },
        Refused("no app number in Production", "appIdMismatch") { store, _, body in
            try store.notification(body.with(["data": body["data"]?.with(["appAppleId": nil])]))
        },
        Refused("Sandbox", "environmentMismatch") { store, _, body in
            try store.notification(body.with(["data": body["data"]?.with(["environment": "Sandbox"])]))
        },
        Refused("Xcode", "environmentMismatch") { store, _, body in
            try store.notification(body.with(["data": body["data"]?.with(["environment": "Xcode"])]))
        },
        Refused("an unknown environment", "environmentMismatch") { store, _, body in
            try store.notification(body.with(["data": body["data"]?.with(["environment": "Staging"])]))
        },
        Refused("no identity", "malformed") { store, _, body in
            try store.notification(body.with(["notificationUUID": nil]))
        },
        Refused("an identity that is no UUID", "malformed") { store, _, body in
            try store.notification(body.with(["notificationUUID": "42"]))
        },
        Refused("no signing time", "malformed") { store, _, body in
            try store.notification(body.with(["signedDate": nil]))
        },
        Refused("a transaction", "wrongDocumentKind") { store, _, body in
            try store.document(body["data"]?["transactionInfo"] ?? .null)
        },
        Refused("signed in the future", "signedInFuture", status: 503) { store, _, body in
            try store.notification(body.with(["signedDate": .instant(Instant.testNow.adding(milliseconds: 300_001))]))
        },
        Refused("an inner transaction of another app", "bundleMismatch") { store, _, body in
            try store.notification(body.changingTransaction(["bundleId": "com.example.other"]))
        },
        Refused("an inner transaction of another environment", "environmentMismatch") { store, _, body in
            try store.notification(body.changingTransaction(["environment": "Sandbox"]))
        },
        Refused("an inner transaction from the future", "signedInFuture", status: 503) { store, _, body in
            try store.notification(
                body.changingTransaction(["signedDate": .instant(Instant.testNow.adding(milliseconds: 300_001))])
            )
        },
        Refused("a forged inner transaction", "badSignature") { store, _, body in
            try store.notification(body, tampering: .spoiling(.transactionInfo) { $0.signature = .otherKey })
        },
        Refused("an inner transaction of a stranger", "untrustedRoot") { store, odd, body in
            try store.notification(body, innerSignedBy: odd.stranger)
        },
    ]

    private static var setup: DaemonSetup {
        get throws {
            var setup = DaemonSetup(environments: [.production])
            setup.otherRoots = try OddChains.shared.get().trustedRoots
            return setup
        }
    }

    private static let body = Sample.notification(
        Sample.transaction("560001", purchased: Instant.testNow.adding(days: -1))
    )

    @Test(arguments: signatures + notifications)
    func `a notification is refused with its code, and the log is unchanged`(_ refused: Refused) async throws {
        try await withDaemon(try Self.setup) { bench, client throws in
            let signed = try refused.make(bench.store, try OddChains.shared.get(), Self.body)
            expectProblem(try client.notify(signed), refused.status, refused.code, retryable: refused.status == 503)
            #expect(try LedgerState(bench.database).isEmpty)
            // The same daemon takes the good one.
            let good = try bench.store.notification(Self.body)
            #expect(try client.notify(good)["outcome"]?.text == "recorded")
        }
    }

    @Test(arguments: signatures)
    func `a transaction is refused with its code, and is not safe to finish`(_ refused: Refused) async throws {
        try await withDaemon(try Self.setup) { bench, client throws in
            let transaction = Sample.transaction("560001", purchased: Instant.testNow.adding(days: -1))
            let signed = try refused.make(bench.store, try OddChains.shared.get(), transaction)
            let answer = try client.post(transactions: [signed])
            expectProblem(answer, 400, refused.code)
            #expect(answer["results"]?.items.count == 1)
            let result = answer["results"]?[0]
            #expect(result?["outcome"]?.text == "rejected")
            #expect(result?["safeToFinish"]?.boolean == false)
            #expect(result?["position"]?.isNull == true)
            #expect(result?["problem"]?["code"]?.text == refused.code)
            #expect(try LedgerState(bench.database).isEmpty)
        }
    }

    @Test func `the detail of a refused inner document names it`() async throws {
        try await withDaemon(try Self.setup) { bench, client throws in
            let signed = try bench.store.notification(
                Self.body,
                tampering: .spoiling(.transactionInfo) { $0.signature = .otherKey }
            )
            #expect(expectProblem(try client.notify(signed), 400, "badSignature").hasPrefix("signedTransactionInfo: "))
        }
    }

    @Test func `a document signed up to five minutes ahead of the clock is taken`() async throws {
        try await withDaemon { bench, client throws in
            let ahead = Instant.testNow.adding(milliseconds: 300_000)
            let signed = try bench.store.notification(Sample.notification(type: "TEST", signed: ahead))
            #expect(try client.notify(signed).status == 200)
            let later = try bench.store.notification(
                Sample.notification(type: "TEST", signed: ahead.adding(milliseconds: 1))
            )
            expectProblem(try client.notify(later), 503, "signedInFuture", retryable: true)
            bench.clock.advance(milliseconds: 1)
            #expect(try client.notify(later)["outcome"]?.text == "recorded")
        }
    }

    @Test func `a flood of unknown chains is put off, while known ones are served`() async throws {
        try await withDaemon { bench, client throws in
            let known = try (0..<2).map { _ in try bench.store.notification(Sample.notification(type: "TEST")) }
            #expect(try client.notify(known[0]).status == 200)
            var putOff = 0
            for number in 0..<100 {
                let header = bench.store.header.with(["x5c": [.string("AA\(number)A"), "AAAA", "AAAA"]])
                let answer = try client.notify(try bench.store.document(Self.body, header: header))
                if answer["code"]?.text == "verificationUnavailable" {
                    expectProblem(answer, 503, "verificationUnavailable", retryable: true)
                    putOff += 1
                } else {
                    expectProblem(answer, 400, "invalidCertificate")
                }
            }
            // The clock stands still, so no more than the burst is looked at.
            #expect(putOff >= 100 - 64)
            #expect(try client.notify(known[1])["outcome"]?.text == "recorded")
        }
    }
}

extension JSONValue {
    /// A notification whose transaction has other members.
    fileprivate func changingTransaction(_ changes: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        with(["data": self["data"]?.with(["transactionInfo": self["data"]?["transactionInfo"]?.with(changes)])])
    }
}
