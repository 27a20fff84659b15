import HTTPServer
import LedgerCore
import TestSupport
import Testing

@testable import LedgerD

/// Disagreements between Apple's statuses and ours.
@Suite struct StatusFindingsTests {
    /// A subscription that has expired by its facts, and a status of Apple's at some time after that.
    private static func set(appleStatus: Int64) throws -> EntitlementSet {
        let payload = Sample.subscription("560001", purchased: .testNow).bytes
        let document = try TransactionDocument(payload: payload)
        let digest = DocumentDigest(testPayload: payload)
        let fact = try #require(TransactionFact(document, digest: digest, position: Position(1)))
        var line = LineFact(fact.originalTransactionID)
        let later = Instant.testNow.adding(days: 40)
        line.appleStatus = Register(rank: later, value: appleStatus)
        return EntitlementEvaluator.evaluate(
            CustomerFacts(lines: [LineFacts(line: line, transactions: [fact])]),
            catalog: .empty,
            at: later
        )
    }

    @Test func `each disagreement is counted, and one a minute is logged`() throws {
        let file = try LogFile()
        let findings = StatusFindings(file.log)
        let start = MonotonicTime.now
        let (agreeing, differing) = (try Self.set(appleStatus: 2), try Self.set(appleStatus: 1))
        findings.note(agreeing, at: start)
        #expect(findings.count == 0)
        for milliseconds in [0, 1, 59_999, 60_000, 60_001] {
            findings.note(differing, at: start + .milliseconds(milliseconds))
        }
        #expect(findings.count == 5)
        let lines = try file.lines()
        #expect(lines.map { $0["findings.count"]?.text } == ["1", "4"])
        #expect(lines.first?["subscription.originalTransactionId"]?.text == "560001")
        #expect(lines.first?["subscription.status"]?.text == "2" && lines.first?["apple.status"]?.text == "1")
    }
}
