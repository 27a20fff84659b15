import TestSupport
import Testing

@testable import LedgerCore

/// How late a revocation was noticed, and how long access outlived it (API.md "Finance").
@Suite("Registers: detection")
struct RevocationDetectionTests {
    private typealias Sample = RegisterSample

    private let season = Catalog(products: [
        ProductID(rawValue: "season"): CatalogProduct(duration: CalendarDuration(iso8601: "P9D"))
    ])

    /// A subscription from day 0 to day 30, revoked on day 4 and recorded on a day.
    private func detection(
        recorded day: Double,
        _ changes: [String: Payload.Value?] = [:],
        revoked: [String: Payload.Value?] = Sample.revoked(4)
    ) throws -> RevocationDetection {
        let subscription: [String: Payload.Value?] = [
            "type": "Auto-Renewable Subscription", "expiresDate": .integer(Instant.day(30).milliseconds),
        ]
        let payload = Sample.payload(signed: 5, subscription).with(revoked).with(changes)
        let rendering = try Sample.rendering(payload, at: 1, recordedAt: .day(day), source: .history)
        let entry = try #require(TransactionRegister([rendering]).entries.first)
        return RevocationDetection(entry, catalog: season)
    }

    @Test func `access ends when the revocation is recorded`() throws {
        let detection = try detection(recorded: 6)
        #expect(detection.detectedBy == .history)
        #expect(detection.lagSeconds == 2 * 86_400)
        #expect(detection.accessEndedAt == .day(6) && detection.leakageSeconds == 2 * 86_400)
    }

    @Test func `but not after the end of the period`() throws {
        let late = try detection(recorded: 50)
        #expect(late.lagSeconds == 46 * 86_400)
        #expect(late.accessEndedAt == .day(30) && late.leakageSeconds == 26 * 86_400)
        let afterwards = try detection(recorded: 50, revoked: Sample.revoked(40))
        #expect(afterwards.accessEndedAt == .day(30) && afterwards.leakageSeconds == 0)
    }

    @Test func `a revocation recorded before its date leaks nothing`() throws {
        let detection = try detection(recorded: 3)
        #expect(detection.accessEndedAt == .day(4))
        #expect((detection.lagSeconds, detection.leakageSeconds) == (0, 0))
    }

    @Test func `a non-renewing subscription ends by the catalog, a non-consumable never`() throws {
        let product: [String: Payload.Value?] = ["productId": "season", "expiresDate": nil]
        let renewing = try detection(recorded: 50, product.merging(["type": "Non-Renewing Subscription"]) { $1 })
        #expect(renewing.accessEndedAt == .day(9))
        let forever = try detection(recorded: 50, product.merging(["type": "Non-Consumable"]) { $1 })
        #expect(forever.accessEndedAt == .day(50))
    }

    @Test(arguments: [["type": "Consumable"], ["isUpgraded": true]] as [[String: Payload.Value?]])
    func `a consumable and an upgraded purchase have no access to end`(_ changes: [String: Payload.Value?]) throws {
        let detection = try detection(recorded: 6, changes)
        #expect(detection.accessEndedAt == nil && detection.leakageSeconds == nil)
        #expect(detection.lagSeconds == 2 * 86_400)
    }

    @Test func `of the renderings that say so the one recorded first detected it`() throws {
        let later = try Sample.rendering(at: 3, signed: 5, Sample.revoked(4), source: .notification)
        let earlier = try Sample.rendering(at: 2, signed: 8, Sample.revoked(4), source: .device)
        let entry = try #require(TransactionRegister([later, earlier]).entries.first)
        #expect(RevocationDetection(entry, catalog: .empty).detectedBy == .device)
        #expect(entry.statement.signedAt == .day(5))
    }

    @Test func `a further refund and a reversal end no access; a reversal happened when it was signed`() throws {
        let entries = TransactionRegister([
            try Sample.rendering(at: 1, signed: 5, Sample.revoked(4, "REFUND_PRORATED", percentage: 1000)),
            try Sample.rendering(at: 2, signed: 6, Sample.revoked(4, "REFUND_PRORATED", percentage: 2000)),
            try Sample.rendering(at: 3, signed: 7),
        ]).entries
        #expect(entries.map(\.endsAccess) == [true, false, false])
        #expect(entries.map(\.happenedAt) == [.day(4), .day(4), .day(7)])
    }
}
