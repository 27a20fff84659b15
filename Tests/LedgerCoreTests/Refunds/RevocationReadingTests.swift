import TestSupport
import Testing

@testable import LedgerCore

/// What one rendering says (PROTOCOL.md 8.5, 8.9, 9-1, 9-7, 9-17), one line a rule.
@Suite("Registers: what a rendering says")
struct RevocationReadingTests {
    struct Rule: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var changes: [String: Payload.Value?]
        var refund: RevocationReading.Refund?
        var revocationClass: RevocationClass?
        var flags: Set<RegisterFlag> = []

        static func money(
            _ name: String,
            _ changes: [String: Payload.Value?],
            _ share: RefundShare,
            _ basis: AmountBasis,
            _ flags: Set<RegisterFlag> = []
        ) -> Rule {
            Rule(testDescription: name, changes: changes, refund: .init(share: share, basis: basis), flags: flags)
        }

        static func other(
            _ name: String,
            _ changes: [String: Payload.Value?],
            _ revocationClass: RevocationClass?,
            _ flags: Set<RegisterFlag> = []
        ) -> Rule {
            Rule(testDescription: name, changes: changes, revocationClass: revocationClass, flags: flags)
        }
    }

    private typealias Sample = RegisterSample

    private static func revoked(
        _ type: String?,
        percentage: Int64? = nil,
        reason: Int64? = 0,
        owner: String? = "PURCHASED"
    ) -> [String: Payload.Value?] {
        Sample.revoked(2, type, percentage: percentage, reason: reason)
            .merging(["inAppOwnershipType": owner.map { .text($0) }]) { $1 }
    }

    static let rules: [Rule] = [
        .other("nothing", [:], nil),
        .other("an upgrade by itself", ["isUpgraded": true], nil),
        .other("a percentage without a date", ["revocationPercentage": 40_000], nil),
        .money("full", revoked("REFUND_FULL", percentage: 100_000), .percentage(.whole), .priceTimesPercentage),
        .money("full without a percentage", revoked("REFUND_FULL"), .percentage(.whole), .fullPriceAssumed),
        .money(
            "full with less than the whole: the percentage counts",
            revoked("REFUND_FULL", percentage: 60_000),
            .percentage(Percentage(60_000)),
            .priceTimesPercentage,
            [.percentageContradictsType]
        ),
        .money(
            "prorated",
            revoked("REFUND_PRORATED", percentage: 40_000),
            .percentage(Percentage(40_000)),
            .priceTimesPercentage
        ),
        .money("75 is no 75 %", revoked(nil, percentage: 75), .percentage(Percentage(75)), .priceTimesPercentage),
        .money("prorated by nothing", revoked("REFUND_PRORATED"), .unknown, .unknown, [.percentageMissing]),
        .money(
            "a percentage of 250000",
            revoked("REFUND_PRORATED", percentage: 250_000),
            .unknown,
            .unknown,
            [.percentageOutOfRange]
        ),
        .money(
            "a negative percentage",
            revoked("REFUND_FULL", percentage: -1),
            .unknown,
            .unknown,
            [.percentageOutOfRange]
        ),
        .money("before December 2025", revoked(nil), .percentage(.whole), .fullPriceAssumed),
        .money(
            "an upgrade with refund fields is booked",
            revoked("REFUND_PRORATED", percentage: 10_000).merging(["isUpgraded": true]) { $1 },
            .percentage(Percentage(10_000)),
            .priceTimesPercentage
        ),
        .money(
            "an unknown type with a percentage",
            revoked("NEW", percentage: 5000),
            .percentage(Percentage(5000)),
            .priceTimesPercentage,
            [.unknownType]
        ),
        .money(
            "an unknown type without one",
            revoked("NEW"),
            .unknown,
            .unknown,
            [.unknownType, .percentageMissing]
        ),
        .money(
            "a type that says refund beats an unknown reason",
            revoked("REFUND_FULL", reason: 7),
            .percentage(.whole),
            .fullPriceAssumed,
            [.unknownReason]
        ),
        .other("upgraded to a bundle", revoked(nil, reason: 2), .upgradeToBundle, [.unknownReason]),
        .other(
            "upgraded to a bundle, with a type of its own",
            revoked("BUNDLE", reason: 2),
            .upgradeToBundle,
            [.unknownType, .unknownReason]
        ),
        .other("family revoke", revoked("FAMILY_REVOKE", owner: "FAMILY_SHARED"), .family),
        .other("family revoke of a purchase", revoked("FAMILY_REVOKE", percentage: 100_000), .family),
        .other("shared, before there were types", revoked(nil, owner: "FAMILY_SHARED"), .family),
        .other("shared, with a refund's type", revoked("REFUND_FULL", owner: "FAMILY_SHARED"), .family),
        .other("seat taken away", revoked("ASSIGNMENT_REVOKE", owner: "ASSIGNED"), .assignment),
        .other("seat, without a type", revoked(nil, owner: "ASSIGNED"), .assignment),
        .other("unknown ownership", revoked("REFUND_FULL", owner: "LEASED"), .notPurchased),
        .other("missing ownership", revoked("REFUND_FULL", owner: nil), .notPurchased),
        .money("items refunded", items("{\"refundAmount\":500},{\"refundAmount\":20}"), items(520), .itemRefunds),
        .money(
            "items of a revoked transaction count before its percentage",
            items("{\"refundAmount\":500}").merging(revoked("REFUND_FULL", percentage: 100_000)) { $1 },
            items(500),
            .itemRefunds
        ),
        .money("an item without an amount", items("{}"), .unknown, .unknown, [.itemAmountUnknown]),
        .money("a negative amount", items("{\"refundAmount\":-1}"), .unknown, .unknown, [.itemAmountUnknown]),
        .money(
            "amounts past 64 bits",
            items("{\"refundAmount\":\(Int64.max)},{\"refundAmount\":1}"),
            .unknown,
            .unknown,
            [.itemAmountUnknown]
        ),
        .other(
            "an item revoked without a refund",
            ["advancedCommerceInfo": .json("{\"items\":[{\"revocationDate\":1}]}")],
            .item
        ),
        .other("items that are untouched", ["advancedCommerceInfo": .json("{\"items\":[{\"SKU\":\"a\"}]}")], nil),
    ]

    private static func items(_ refunds: String) -> [String: Payload.Value?] {
        ["advancedCommerceInfo": .json("{\"items\":[{\"SKU\":\"a\",\"refunds\":[\(refunds)]}]}")]
    }

    private static func items(_ total: Int64) -> RefundShare { .items(Milliunits(total)) }

    @Test(arguments: rules)
    func `a rendering is read by the rules of PROTOCOL 8_5`(_ rule: Rule) throws {
        let reading = RevocationReading(try Sample.rendering(at: 1, signed: 3, rule.changes))
        #expect(reading.refund == rule.refund)
        #expect(reading.revocationClass == rule.revocationClass)
        #expect(reading.flags == rule.flags)
    }
}
