import LedgerCore
import Testing

/// Which purchase counts and until when (PROTOCOL.md 8.3 steps 1 to 4, 8.4, 8.8).
@Suite("Subscription: periods")
struct SubscriptionPeriodTests {
    private let month = TransactionFact.sample("1", from: 0, to: 30)

    @Test func `a period ends at its expiresDate and not after`() {
        let line = LineFacts([month])
        #expect(line.status(at: .day(0)) == 1)
        #expect(line.status(at: Instant.day(30).justBefore) == 1)
        #expect(line.status(at: .day(30)) == 2)
    }

    @Test func `access and the next change are the end of the period`() {
        let set = EntitlementSet.of(LineFacts([month]), at: .day(1))
        #expect(set.entitlements.map(\.accessUntil) == [.day(30)])
        #expect(set.nextChangeAt == .day(30))
    }

    @Test func `switching auto-renewal off does not end access`() {
        let line = LineFacts([month], renewal: .sample(signed: .day(5)) { $0.autoRenewStatus = .known(.off) })
        #expect(line.status(at: .day(29)) == 1)
    }

    @Test func `a renewal in the future begins at its purchaseDate`() {
        let next = TransactionFact.sample("2", from: 31, to: 60, signed: .day(29)) { $0.reason = .known(.renewal) }
        let line = LineFacts([month, next])
        #expect(line.status(at: Instant.day(31).justBefore) == 2)
        #expect(EntitlementSet.of(line, at: Instant.day(31).justBefore).nextChangeAt == .day(31))
        #expect(line.status(at: .day(31)) == 1)
    }

    @Test func `a line whose only purchase lies in the future is not listed before it`() {
        let line = LineFacts([TransactionFact.sample("1", from: 5, to: 30) { $0.reason = .known(.renewal) }])
        let set = EntitlementSet.of(line, at: .day(1))
        #expect(set.entitlements.isEmpty)
        #expect(set.subscriptions.isEmpty)
        #expect(set.nextChangeAt == .day(5))
    }

    /// Sandbox dates run ahead of the signing time (appendix C).
    @Test func `a customer's own purchase counts from its signing when that is earlier`() {
        let signed = Instant.day(1)
        let ahead = TransactionFact.sample("1", from: 0, to: 30, signed: signed) {
            $0.purchaseDate = signed.adding(milliseconds: 50_000)
        }
        #expect(LineFacts([ahead]).status(at: signed) == 1)
        #expect(EntitlementSet.of(LineFacts([ahead]), at: signed.justBefore).entitlements.isEmpty)
        #expect(EntitlementSet.of(LineFacts([ahead]), at: signed.justBefore).nextChangeAt == signed)
    }

    @Test func `a shared purchase counts from its purchaseDate only`() {
        let signed = Instant.day(1)
        let shared = TransactionFact.sample("1", from: 0, to: 30, signed: signed) {
            $0.purchaseDate = signed.adding(milliseconds: 50_000)
            $0.ownershipType = .known(.familyShared)
        }
        #expect(EntitlementSet.of(LineFacts([shared]), at: signed).subscriptions.isEmpty)
        #expect(LineFacts([shared]).status(at: signed.adding(milliseconds: 50_000)) == 1)
    }

    @Test func `a purchase without a purchaseDate counts from its signing`() {
        let dateless = TransactionFact.sample("1", from: 0, to: 30, signed: .day(2)) { $0.purchaseDate = nil }
        #expect(EntitlementSet.of(LineFacts([dateless]), at: .day(1)).entitlements.isEmpty)
        #expect(EntitlementSet.of(LineFacts([dateless]), at: .day(1)).nextChangeAt == .day(2))
        #expect(LineFacts([dateless]).status(at: .day(2)) == 1)
    }

    @Test func `a subscription without an end grants nothing`() {
        #expect(LineFacts([TransactionFact.sample("1", from: 0)]).status(at: .day(1)) == 2)
    }

    @Test func `after a lapse the new purchase counts`() {
        let line = LineFacts([month, .sample("2", from: 50, to: 80)])
        #expect([40, 50, 79.9, 80].map { line.status(at: .day($0)) } == [2, 1, 1, 2])
    }

    @Test func `of purchases made at once the longer one counts, then the greater identifier`() {
        let longer = TransactionFact.sample("0", from: 0, to: 31)
        let twin = TransactionFact.sample("2", from: 0, to: 30)
        #expect(SubscriptionEvaluator(LineFacts([month, longer, twin]), at: .day(1)).state()?.transaction == longer)
        #expect(SubscriptionEvaluator(LineFacts([twin, month]), at: .day(1)).state()?.transaction == twin)
    }

    // MARK: Upgrades

    private let upgrade = TransactionFact.sample("2", product: "pro.yearly", from: 10, to: 40)

    @Test func `an upgrade replaces the old plan`() {
        var replaced = TransactionFact.sample("1", product: "pro.monthly", from: 0, to: 100)
        for isResigned in [false, true] {
            replaced.isUpgraded = isResigned
            let set = EntitlementSet.of(LineFacts([replaced, upgrade]), at: .day(20))
            #expect(set.products == ["pro.yearly"], "old plan re-signed: \(isResigned)")
        }
    }

    @Test func `before an upgrade the old plan counts only in its rendering without the mark`() {
        var replaced = TransactionFact.sample("1", from: 0, to: 100)
        #expect(EntitlementSet.of(LineFacts([replaced, upgrade]), at: .day(9)).products == ["pro.monthly"])
        replaced.isUpgraded = true
        #expect(EntitlementSet.of(LineFacts([replaced]), at: .day(9)).products.isEmpty)
    }

    @Test func `an upgraded plan with refund fields does not make the line revoked`() {
        let replaced = TransactionFact.sample("1", from: 0, to: 100) { $0.isUpgraded = true }
            .revoked(at: .day(10), .refundProrated, percentage: 50_000)
        #expect(LineFacts([replaced, upgrade]).status(at: .day(50)) == 2)
    }

    // MARK: Extensions

    private func extended(
        by days: Double = 7,
        signed: Double = 20,
        _ change: (inout RenewalFact) -> Void = { _ in }
    ) -> LineFacts {
        LineFacts(
            [month],
            renewal: .sample(signed: .day(signed)) {
                $0.renewalDate = .day(30 + days)
                change(&$0)
            }
        )
    }

    @Test func `a later renewalDate of the same period extends it`() {
        #expect(extended().status(at: Instant.day(37).justBefore) == 1)
        #expect(extended().status(at: .day(37)) == 2)
        #expect(EntitlementSet.of(extended(), at: .day(1)).nextChangeAt == .day(37))
    }

    @Test func `an earlier renewalDate shortens nothing`() {
        #expect(extended(by: -7).status(at: .day(29)) == 1)
    }

    @Test func `a renewal info that was not signed within the period extends nothing`() {
        #expect(extended(signed: 0).status(at: .day(31)) == 2)
        #expect(extended(signed: 30).status(at: .day(31)) == 2)
    }

    @Test func `a failed charge or another product extends nothing`() {
        #expect(extended { $0.isInBillingRetryPeriod = true }.status(at: .day(31)) == 3)
        #expect(extended { $0.productID = ProductID(rawValue: "other") }.status(at: .day(31)) == 2)
    }
}
