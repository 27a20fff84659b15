import LedgerCore
import Testing

/// Refunds and other revocations of subscriptions and non-consumables (PROTOCOL.md 8.3 step 7, 8.5, 8.9).
@Suite("Revocations")
struct RevocationTests {
    private let month = TransactionFact.sample("1", from: 0, to: 30)

    @Test func `a revocation takes access from its instant until the end of the period`() {
        let line = LineFacts([month.revoked(at: .day(10))])
        #expect(line.status(at: Instant.day(10).justBefore) == 1)
        #expect(EntitlementSet.of(line, at: .day(9)).nextChangeAt == .day(10))
        #expect(line.status(at: .day(10)) == 5)
        #expect(EntitlementSet.of(line, at: .day(10)).entitlements.isEmpty)
        #expect(EntitlementSet.of(line, at: .day(10)).nextChangeAt == .day(30))
        #expect(line.status(at: .day(30)) == 2)
    }

    @Test(arguments: RevocationType.allCases)
    func `every type of revocation ends access`(_ type: RevocationType) {
        #expect(LineFacts([month.revoked(at: .day(10), type, percentage: 1)]).status(at: .day(11)) == 5)
    }

    @Test func `a revocation of unknown type or without type ends access`() {
        var unknown = month.revoked(at: .day(10))
        unknown.revocationType = .unknown("SOMETHING_NEW")
        unknown.revocationReason = .unknown(17)
        #expect(LineFacts([unknown]).status(at: .day(11)) == 5)
        #expect(LineFacts([month.revoked(at: .day(10), nil)]).status(at: .day(11)) == 5)
    }

    @Test func `the refund of an older period leaves the running one alone`() {
        let line = LineFacts([month.revoked(at: .day(35)), .sample("2", from: 30, to: 60)])
        #expect(line.status(at: .day(40)) == 1)
        #expect(EntitlementSet.of(line, at: .day(40)).nextChangeAt == .day(60))
        #expect(line.status(at: .day(60)) == 2)
    }

    /// The renewal info of the refunded period names that period's end, which extends nothing.
    @Test(arguments: [30, 29.5])
    func `a refund of the running period ends access though the renewal info names its end`(_ charged: Double) {
        let running = TransactionFact.sample("2", from: charged, to: 60) { $0.reason = .known(.renewal) }
        let refunded = running.revoked(at: .day(charged + 0.2))
        let renewal = RenewalFact.sample(signed: .day(charged + 0.2)) { $0.renewalDate = .day(60) }
        let line = LineFacts([month, refunded], renewal: renewal)
        #expect(line.status(at: .day(30.3)) == 5)
        #expect(EntitlementSet.of(line, at: .day(30.3)).entitlements.isEmpty)
        #expect(line.status(at: .day(60)) == 2)
    }

    @Test func `a reversed refund gives the period back`() {
        #expect(LineFacts([month]).status(at: .day(11)) == 1)
        #expect(EntitlementSet.of(LineFacts([month]), at: .day(11)).subscriptions[0].newest.revocationDate == nil)
    }

    @Test func `the revocation shown is the newest purchase's`() {
        let set = EntitlementSet.of(
            LineFacts([month.revoked(at: .day(35)), .sample("2", from: 30, to: 60)]),
            at: .day(40)
        )
        #expect(set.subscriptions.map(\.newest.transactionID.rawValue) == ["2"])
    }

    // MARK: Ownership

    @Test(arguments: OwnershipType.allCases)
    func `purchased, shared and assigned products give access alike`(_ ownership: OwnershipType) {
        var fact = month
        fact.ownershipType = .known(ownership)
        #expect(EntitlementSet.of(LineFacts([fact]), at: .day(1)).products == ["pro.monthly"])
    }

    @Test func `a product of unknown or missing ownership gives access`() {
        var fact = month
        for ownership in [Open<OwnershipType>.unknown("LEASED"), nil] {
            fact.ownershipType = ownership
            #expect(EntitlementSet.of(LineFacts([fact]), at: .day(1)).products == ["pro.monthly"])
        }
    }

    @Test func `the end of sharing leaves the customer's own subscription alone`() {
        let shared = TransactionFact.sample("9", line: "9", from: 0, to: 30) {
            $0.ownershipType = .known(.familyShared)
        }.revoked(at: .day(10), .familyRevoke)
        let set = EntitlementSet.of(LineFacts([month]), LineFacts([shared]), at: .day(11))
        #expect(set.entitlements.map(\.transaction.transactionID.rawValue) == ["1"])
        #expect(set.subscriptions.map(\.state.status) == [.active, .revoked])
    }

    @Test func `a product of unknown type grants nothing and is no subscription`() {
        var fact = month
        for type in [Open<ProductType>.unknown("Future"), nil] {
            fact.type = type
            let set = EntitlementSet.of(LineFacts([fact]), at: .day(1))
            #expect(set.entitlements.isEmpty && set.subscriptions.isEmpty && set.balances.isEmpty)
        }
    }

    // MARK: Non-consumables

    private func lifetime(_ id: String = "1") -> TransactionFact {
        .sample(id, type: .nonConsumable, product: "lifetime", from: 0)
    }

    @Test func `a non-consumable grants without an end until it is revoked, in part or whole`() {
        let line = LineFacts([lifetime().revoked(at: .day(10), .refundProrated, percentage: 1)])
        #expect(EntitlementSet.of(line, at: .day(9)).entitlements.map(\.accessUntil) == [nil])
        #expect(EntitlementSet.of(line, at: .day(9)).nextChangeAt == .day(10))
        #expect(EntitlementSet.of(line, at: .day(10)).entitlements.isEmpty)
        #expect(EntitlementSet.of(line, at: .day(10)).nextChangeAt == nil)
    }

    @Test func `a restored copy is the same purchase: one row`() {
        let set = EntitlementSet.of(LineFacts([lifetime("1"), lifetime("2")]), at: .day(1))
        #expect(set.entitlements.map(\.transaction.transactionID.rawValue) == ["2"])
    }

    @Test func `with the restored copy revoked the original still grants`() {
        let set = EntitlementSet.of(LineFacts([lifetime("1"), lifetime("2").revoked(at: .day(0))]), at: .day(1))
        #expect(set.entitlements.map(\.transaction.transactionID.rawValue) == ["1"])
    }

    @Test func `a withdrawn consent is shown from its signing on, and is a change`() {
        let facts = CustomerFacts(consentRescindedAt: .day(5))
        func evaluate(_ instant: Instant) -> EntitlementSet {
            EntitlementEvaluator.evaluate(facts, catalog: .empty, at: instant)
        }
        #expect(!evaluate(Instant.day(5).justBefore).consentRescinded)
        #expect(evaluate(Instant.day(5).justBefore).nextChangeAt == .day(5))
        #expect(evaluate(.day(5)).consentRescinded)
        #expect(evaluate(.day(5)).nextChangeAt == nil)
    }
}
