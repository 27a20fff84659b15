import LedgerCore
import Testing

/// Grace period and billing retry (PROTOCOL.md 8.3 steps 5 and 6, 8.4).
@Suite("Subscription: failed charges")
struct BillingRetryTests {
    private let month = TransactionFact.sample("1", from: 0, to: 30)

    /// Appendix B, "Grace".
    @Test func `a grace period gives access until its date and not after`() {
        let line = LineFacts([month], renewal: .failedCharge(signed: .day(30), graceUntil: .day(46)))
        #expect(line.status(at: Instant.day(30).justBefore) == 1)
        #expect(line.status(at: .day(30)) == 4)
        #expect(line.status(at: .day(40)) == 4)
        #expect(line.status(at: Instant.day(46).justBefore) == 4)
        #expect(line.status(at: .day(46)) == 3)
        let set = EntitlementSet.of(line, at: .day(40))
        #expect(set.entitlements.map(\.accessUntil) == [.day(46)])
        #expect(set.nextChangeAt == .day(46))
        #expect(EntitlementSet.of(line, at: .day(46)).entitlements.isEmpty)
    }

    @Test func `billing retry without grace gives no access and ends after sixty days`() {
        let line = LineFacts([month], renewal: .failedCharge(signed: .day(30)))
        #expect(line.status(at: .day(30)) == 3)
        #expect(line.status(at: Instant.day(90).justBefore) == 3)
        #expect(line.status(at: .day(90)) == 2)
        #expect(EntitlementSet.of(line, at: .day(30)).nextChangeAt == .day(90))
        #expect(EntitlementSet.of(line, at: .day(30)).entitlements.isEmpty)
    }

    @Test func `a grace date without a failed charge means nothing`() {
        let renewal = RenewalFact.sample(signed: .day(30)) { $0.gracePeriodExpiresDate = .day(46) }
        #expect(LineFacts([month], renewal: renewal).status(at: .day(31)) == 2)
    }

    @Test func `a recovered charge ends the retry`() {
        let recovered = TransactionFact.sample("2", from: 50, to: 80) { $0.reason = .known(.renewal) }
        let line = LineFacts([month, recovered], renewal: .sample(signed: .day(50)))
        #expect(line.status(at: .day(51)) == 1)
        #expect(line.status(at: .day(80)) == 2)
    }

    @Test func `a stale renewal info does not put a newer purchase into billing retry`() {
        let recovered = TransactionFact.sample("2", from: 50, to: 80) { $0.reason = .known(.renewal) }
        let line = LineFacts([month, recovered], renewal: .failedCharge(signed: .day(31), graceUntil: .day(85)))
        #expect(line.status(at: .day(80)) == 2)
    }

    // MARK: Status 4 without a date

    @Test func `a signed status 4 without a date gives three days of grace, flagged`() {
        let line = LineFacts(
            [month],
            renewal: .failedCharge(signed: .day(30)),
            appleStatus: (4, .day(30))
        )
        #expect(line.status(at: Instant.day(33).justBefore) == 4)
        #expect(SubscriptionEvaluator(line, at: .day(31)).state()?.graceEndIsAssumed == true)
        #expect(line.status(at: .day(33)) == 3)
        #expect(EntitlementSet.of(line, at: .day(31)).nextChangeAt == .day(33))
    }

    @Test func `without a renewal info a signed status 4 still gives three days`() {
        let line = LineFacts([month], appleStatus: (4, .day(30)))
        #expect([32.9, 33].map { line.status(at: .day($0)) } == [4, 2])
    }

    @Test func `a renewal info without a failed charge that is as new as the status contradicts it`() {
        let line = LineFacts([month], renewal: .sample(signed: .day(30)), appleStatus: (4, .day(30)))
        #expect(line.status(at: .day(31)) == 2)
        let older = LineFacts([month], renewal: .sample(signed: .day(29)), appleStatus: (4, .day(30)))
        #expect(older.status(at: .day(31)) == 4)
    }

    @Test func `a status 4 from before the purchase says nothing about it`() {
        let line = LineFacts([.sample("2", from: 50, to: 80)], appleStatus: (4, .day(31)))
        #expect(line.status(at: .day(81)) == 2)
    }

    @Test(arguments: [1, 2, 3, 5, 17])
    func `no other signed status sets a state`(_ status: Int64) {
        let line = LineFacts([month], renewal: .sample(signed: .day(1)), appleStatus: (status, .day(29)))
        #expect(line.status(at: .day(29)) == 1)
        #expect(line.status(at: .day(31)) == 2)
        let disagreement = EntitlementSet.of(line, at: .day(31)).subscriptions.first?.agreesWithApple
        #expect(disagreement == (status == 1))
    }
}
