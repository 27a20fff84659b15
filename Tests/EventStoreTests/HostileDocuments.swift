import EventStore
import JWS
import LedgerCore
import StoreSimulator
import TestSupport
import Testing

/// Documents as no serialiser of ours would write them, each with an identity of its own: most go through the verifier,
/// and those whose text it refuses are handed to the log as if it had not.
struct HostileDocuments {
    /// A unit and the texts of its events, in order.
    struct Document {
        var unit: AppendUnit
        var texts: [[UInt8]]
        var isVerified: Bool
    }

    private let store: SimulatedStore
    private let rotated: DocumentSigner
    private let header: [UInt8]
    private var random: SeededGenerator
    private var number = 0
    /// Inner documents that the log has seen, for notifications that bring one again.
    private var known: [VerifiedDocument] = []
    private static let knownMax = 64

    init(store: SimulatedStore, seed: UInt64) throws {
        self.store = store
        rotated = try store.rotatedSigner()
        header = Array(try store.verified(.transaction("1"), as: .transaction).headerSegment)
        random = SeededGenerator(seed: seed)
    }

    mutating func next() throws -> Document {
        number += 1
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: return try notification()
        case 2, 3: return try verified()
        default: return try unverified()
        }
    }

    private mutating func verified() throws -> Document {
        let signer = Int.random(in: 0..<4, using: &random) == 0 ? rotated : store.signer
        let jws = try signer.sign(transaction())
        let document = try store.verifier.verify(jws, as: .transaction).get()
        return Document(unit: AppendUnit(document, source: .device), texts: [jws], isVerified: true)
    }

    /// A notification with a new document, one that is known, one that is known under another signature, or none; its
    /// text stands there as it is, or escaped.
    private mutating func notification() throws -> Document {
        let inner: VerifiedDocument? =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: known.randomElement(using: &random)
            case 1:
                try known.randomElement(using: &random).map { document in
                    try store.verifier.verify(try rotated.sign(document.payload), as: .transaction).get()
                }
            case 2: nil
            default: try store.verified(transaction(), as: .transaction)
            }
        let text = inner.map { Bool.random(using: &random) ? $0.text : escaped($0.text) }
        let jws = try store.signer.sign(notification(holding: text))
        let notification = try store.verifier.verifyNotification(jws).get()
        if let inner, known.count < Self.knownMax { known.append(inner) }
        return Document(
            unit: AppendUnit(notification, source: .notification),
            texts: [jws] + notification.inner.map(\.jws),
            isVerified: true
        )
    }

    /// A text that no verifier takes.
    private mutating func unverified() throws -> Document {
        let payload = spoiledPayload()
        let signature = (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let text = header + [UInt8(ascii: ".")] + spoiled(payload) + [UInt8(ascii: ".")] + spoiled(signature)
        let document = try VerifiedDocument(unverified: text, identity: number)
        return Document(unit: AppendUnit(document, source: .operator), texts: [text], isVerified: false)
    }
}

// MARK: Texts

extension HostileDocuments {
    private static let values = [
        #""\u0041\ud83d\ude00\/\\\" \b\f\n\r\t""#, "1e400", "-0", "0.10", "123456789012345678901234567890",
        #""日本語 Ünïcödé 𝔊 \u200d""#, "[[[[]]],{},null , true]", #"{"a":1,"a":2,"\u0061":3}"#, #""""#,
        "9223372036854775808", "1E-7", #""\u2028\u2029""#, #""eyJhbGciOiJub25lIn0.e30.""#, #""\u0000""#, #""a\u0000b""#,
    ]
    private static let blanks = ["", "", " ", "\n", "\t \r\n"]

    private mutating func pick(_ list: [String]) -> String { list[Int.random(in: list.indices, using: &random)] }

    /// Members of unknown names, some of them twice, with blanks between all tokens.
    private mutating func object(_ known: [(name: String, json: String)]) -> String {
        var members = known
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let member = ("x" + pick(["é", #"\u00e9"#, "1", "  ", #"\u0000"#]), pick(Self.values))
            members += Bool.random(using: &random) ? [member, member] : [member]
        }
        members.shuffle(using: &random)
        let list = members.map { member in
            "\(pick(Self.blanks))\"\(member.name)\"\(pick(Self.blanks)):\(pick(Self.blanks))\(member.json)\(pick(Self.blanks))"
        }
        return pick(Self.blanks) + "{" + list.joined(separator: ",") + "}" + pick(Self.blanks)
    }

    private mutating func transaction() -> [UInt8] {
        Array(
            object([
                ("transactionId", "\"\(number)\""), ("originalTransactionId", "\"\(number)\""),
                ("bundleId", #""com.\u0065xample.app""#), ("environment", "\"Production\""),
                ("signedDate", "\(Payload.sampleSignedDate)"),
                ("productId", pick(Self.values.filter { $0.hasPrefix("\"") })),
            ]).utf8
        )
    }

    private mutating func notification(holding text: String?) -> [UInt8] {
        let inner = text.map { [("signedTransactionInfo", "\"\($0)\"")] } ?? []
        let data = object(
            [
                ("bundleId", "\"com.example.app\""), ("appAppleId", "1234567890"), ("environment", "\"Production\""),
            ] + inner
        )
        let digits = String(number)
        let id = "9782c9c7-7e86-5239-bb46-" + String(repeating: "0", count: 12 - digits.count) + digits
        return Array(
            object([
                ("notificationType", "\"日本\""), ("notificationUUID", "\"\(id.uppercased())\""),
                ("signedDate", "\(Payload.sampleSignedDate)"), ("data", data),
            ]).utf8
        )
    }

    /// The same JSON text with one of its characters escaped.
    private mutating func escaped(_ text: String) -> String {
        let place = text.index(text.startIndex, offsetBy: Int.random(in: 0..<100, using: &random))
        guard let byte = text[place].asciiValue else { return text }
        let digits = String(byte, radix: 16)
        return text[..<place] + "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            + text[text.index(after: place)...]
    }

    /// A payload that is no JSON, or no UTF-8.
    private mutating func spoiledPayload() -> [UInt8] {
        var payload = transaction()
        let place = Int.random(in: payload.indices, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: payload[place] = 0xFF
        case 1: payload[place] = 0
        case 2: payload.insert(contentsOf: [0xED, 0xA0, 0x80], at: place)  // a lone surrogate
        case 3: payload.removeSubrange(place...)
        case 4: payload = Array(object([("transactionId", #""\u0000""#), ("bundleId", #""\u0000""#)]).utf8)
        default: break
        }
        return payload
    }

    /// Base64url as nobody should write it: padded, with blanks, of the other alphabet, with bits that say nothing.
    private mutating func spoiled(_ bytes: [UInt8]) -> [UInt8] {
        var text = Base64.encode(bytes, .url)
        let place = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: text += [UInt8](repeating: UInt8(ascii: "="), count: Int.random(in: 1...3, using: &random))
        case 1: text.insert(contentsOf: " \r\n".utf8, at: place)
        case 2: text = Base64.encode(bytes, .standard)
        case 3:
            // The last of two or three characters has bits to spare.
            if !text.count.isMultiple(of: 4), let last = text.last { text[text.count - 1] = last ^ 1 }
        case 4: text.insert([0xC3, 0, 0xFF][Int.random(in: 0..<3, using: &random)], at: place)
        default: break
        }
        return text
    }
}

extension VerifiedDocument {
    /// A text as the log would get it from a verifier that let everything pass; it is named by its number, because
    /// several such texts may stand for one payload.
    init(unverified text: [UInt8], identity: Int) throws {
        let dot = UInt8(ascii: ".")
        let segments = text.split(separator: dot, maxSplits: 2, omittingEmptySubsequences: false)
        let rest = segments.dropFirst().map { Base64.decode($0, .url) ?? Array($0) }
        self.init(
            kind: .transaction,
            claims: DocumentClaims(kind: .transaction),
            environment: .sandbox,
            jws: text,
            headerRange: 0..<segments[0].count,
            payload: rest.first ?? [],
            digest: try #require(DocumentDigest(SHA256Digest.of(Array("document \(identity)".utf8)))),
            signature: rest.count > 1 ? rest[1] : []
        )
    }
}
