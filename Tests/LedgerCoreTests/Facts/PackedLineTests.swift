import LedgerCore
import TestSupport
import Testing

/// A line's facts as bytes and back.
@Suite struct PackedLineTests {
    private func unpacked(_ bytes: [UInt8]) -> LineFacts {
        bytes.withUnsafeBufferPointer { unsafe LineFacts(packed: $0) }
    }

    @Test(arguments: 1...40)
    func `what was packed comes back, and packs to the same bytes`(_ seed: UInt64) {
        var facts = FactSet()
        for event in Story(seed: seed, count: 40, lines: 4).events { facts.fold(event) }
        #expect(!facts.lineFacts.isEmpty)
        for line in facts.lineFacts.values {
            #expect(unpacked(line.packed) == line, "seed \(seed)")
            #expect(unpacked(line.packed).packed == line.packed, "seed \(seed)")
        }
    }

    @Test func `every member and the ends of every range come back`() throws {
        var line = LineFact(OriginalTransactionID(rawValue: "1"))
        let instants = [Instant(milliseconds: .min), Instant(milliseconds: .max)]
        line.appTransactionID = Register(rank: instants[0], value: AppTransactionID(rawValue: "é\u{1F600}"))
        line.purchaseToken = Register(
            rank: LineFact.PurchaseRank(purchaseDate: instants[0], signedAt: instants[1]),
            value: AppAccountToken(rawValue: "")
        )
        line.renewalToken = Register(rank: instants[1], value: AppAccountToken(rawValue: "t"))
        line.appleStatus = Register(rank: instants[1], value: .min)
        let digest = try #require(DocumentDigest(Array(0..<16)))
        var transaction = TransactionFact(
            rendering: Rendering(signedAt: instants[0], isRevoked: true, digest: digest, position: Position(.max)),
            transactionID: TransactionID(rawValue: String(repeating: "x", count: 512)),
            originalTransactionID: line.originalTransactionID,
            versions: .max
        )
        transaction.rendering.isTied = true
        transaction.price = Milliunits(.max)
        transaction.quantity = .min
        transaction.revocationDate = instants[1]
        transaction.revocationType = .unknown("REFUND_LATER")
        transaction.revocationReason = .unknown(-7)
        transaction.isUpgraded = true
        var renewal = RenewalFact(
            rendering: Rendering(signedAt: instants[1], digest: digest, position: Position(1)),
            originalTransactionID: line.originalTransactionID
        )
        renewal.isInBillingRetryPeriod = false
        renewal.gracePeriodExpiresDate = instants[0]
        let facts = LineFacts(line: line, transactions: [transaction], renewal: renewal)
        #expect(unpacked(facts.packed) == facts)
    }

    /// A text that comes again is written as a reference; Unicode holds these two for equal, the App Store does not.
    @Test func `texts that differ only in their bytes stay apart`() throws {
        let spellings = ["\u{E9}", "e\u{301}"]
        var line = LineFact(OriginalTransactionID(rawValue: spellings[0]))
        line.appTransactionID = Register(
            rank: Instant(milliseconds: 1),
            value: AppTransactionID(rawValue: spellings[1])
        )
        let facts = unpacked(LineFacts(line: line).packed)
        #expect(Array(facts.line.originalTransactionID.rawValue.utf8) == Array(spellings[0].utf8))
        #expect(Array(try #require(facts.line.appTransactionID).value.rawValue.utf8) == Array(spellings[1].utf8))
    }

    @Test func `a text that comes again takes two bytes`() throws {
        var line = LineFact(OriginalTransactionID(rawValue: "700000000000001"))
        let once = LineFacts(line: line).packed.count
        line.appTransactionID = Register(
            rank: Instant(milliseconds: 0),
            value: AppTransactionID(rawValue: "700000000000001")
        )
        // The rank is one byte, the reference another.
        #expect(LineFacts(line: line).packed.count == once + 2)
    }
}
