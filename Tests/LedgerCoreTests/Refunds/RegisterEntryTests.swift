import TestSupport
import Testing

@testable import LedgerCore

/// Histories told in a line each (PROTOCOL.md 8.5 and appendix B), and what their entries show.
@Suite("Registers: entries")
struct RegisterEntryTests {
    private typealias Sample = RegisterSample
    private typealias Changes = [String: Payload.Value?]

    /// Renderings signed on days 1, 2, 3, …, recorded in this order.
    private func register(_ renderings: Changes...) throws -> TransactionRegister {
        var register = TransactionRegister()
        for (index, changes) in renderings.enumerated() {
            _ = register.take(try Sample.rendering(at: Int64(index + 1), signed: Double(index + 1), changes))
        }
        return register
    }

    private func prorated(_ percentage: Int64?, price: Int64? = 9990) -> Changes {
        Sample.revoked(1, "REFUND_PRORATED", percentage: percentage)
            .merging(["price": price.map { .integer($0) }]) { $1 }
    }

    // MARK: Amounts

    @Test func `a later share books the difference of the rounded totals`() throws {
        // PROTOCOL.md, appendix B: 8970 × 33.333 % is 2990, × 66.667 % is 5980.
        let register = try register(["price": 8970], prorated(33_333, price: 8970), prorated(66_667, price: 8970))
        #expect(register.entries.map(\.told) == ["refund 2990", "refund 2990"])
        #expect(register.refunded.money?.amount == Milliunits(5980))
    }

    @Test func `a share that shrinks is a reversal in part, and the rest can be taken back too`() throws {
        let register = try register(prorated(66_667), prorated(33_333), [:])
        #expect(register.entries.map(\.told) == ["refund 6660", "reversal -3330", "reversal -3330"])
        #expect(register.entries.map(\.takesAllBack) == [false, false, true])
        #expect(register.entries.map(\.reverses) == [nil, Position(1), Position(1)])
        #expect(register.refunded == .nothing)
    }

    @Test(
        arguments: [
            ("KRW", 2_990_000, 67_932, 2_031_167), ("KWD", 1, 50_000, 1), ("KWD", 1, 49_999, 0),
            ("USD", 1_000_000_000_000_000, 33_333, 333_330_000_000_000), ("VND", .max, 100_000, .max),
            ("VND", .max, 99_999, 9_223_279_803_134_407_259), ("USD", 0, 100_000, 0),
            ("JPY", 12_000_000, 75_000, 9_000_000),
        ] as [(String, Int64, Int64, Int64)]
    )
    func `amounts are exact in every currency and size`(
        currency: String,
        price: Int64,
        percentage: Int64,
        amount: Int64
    ) throws {
        let register = try register(
            prorated(percentage, price: price).merging(["currency": .text(currency)]) { $1 }
        )
        #expect(register.entries.map(\.told) == ["refund \(amount)"])
        #expect(register.entries.first?.subject.price?.currency.rawValue == currency)
    }

    @Test func `a refund of nothing is a refund all the same`() throws {
        #expect(try register(prorated(0)).entries.map(\.told) == ["refund 0"])
    }

    @Test func `an older rendering tells the price that the refund lacks`() throws {
        let register = try register([:], Sample.revoked(1).merging(["price": nil, "currency": nil]) { $1 })
        #expect(register.entries.map(\.told) == ["refund 9990"])
    }

    @Test(arguments: [["price": nil], ["currency": nil], ["price": -1]] as [[String: Payload.Value?]])
    func `without a usable price the amount is unknown, and no sum changes`(_ changes: [String: Payload.Value?]) throws
    {
        let register = try register(Sample.revoked(1).merging(changes) { $1 })
        #expect(register.entries.map(\.told) == ["refund ?"])
        #expect(register.entries.map(\.basis) == [.unknown])
        #expect(register.entries[0].flags == [.priceUnknown])
        #expect(register.refunded == .unknown && register.refunded.money == nil)
        #expect(RegisterTotals(register.entries).unknownAmounts == 1)
        #expect(RegisterTotals(register.entries).byCurrency == [])
    }

    @Test func `an unknown share books nothing until it is known, and then the whole total`() throws {
        let register = try register(prorated(33_333), prorated(250_000), prorated(66_667))
        #expect(register.entries.map(\.told) == ["refund 3330", "refund ?", "refund 3330"])
        #expect(register.refunded.money?.amount == Milliunits(6660))
    }

    @Test func `what was never booked is taken back in an unknown amount`() throws {
        #expect(try register(prorated(nil), [:]).entries.map(\.told) == ["refund ?", "reversal ?"])
        // What was booked before is taken back to the milliunit.
        let register = try register(prorated(33_333), prorated(nil), [:])
        #expect(register.entries.map(\.told) == ["refund 3330", "refund ?", "reversal -3330"])
    }

    @Test func `items are booked in money, one difference after the other`() throws {
        func items(_ refunds: String) -> Changes {
            ["advancedCommerceInfo": .json("{\"items\":[{\"refunds\":[\(refunds)]}]}")]
        }
        let date = Instant.day(7).milliseconds
        let register = try register(
            items("{\"refundAmount\":500,\"refundDate\":\(date)}"),
            items("{\"refundAmount\":500},{\"refundAmount\":120}"),
            [:]
        )
        #expect(register.entries.map(\.told) == ["refund 500", "refund 120", "reversal -620"])
        #expect(register.entries.map(\.basis) == [.itemRefunds, .itemRefunds, .itemRefunds])
        #expect(register.entries[0].happenedAt == .day(7))
        #expect(register.entries[0].endsAccess == false)
    }

    // MARK: What is no refund

    @Test func `a revocation without money is an entry of its own, and so is its end`() throws {
        let shared: Changes = ["inAppOwnershipType": "FAMILY_SHARED"]
        let register = try register(Sample.revoked(1, "FAMILY_REVOKE").merging(shared) { $1 }, shared)
        #expect(register.entries.map(\.told) == ["revocation family", "reinstatement family"])
        #expect(register.entries.map(\.amount) == [nil, nil] && register.entries.map(\.basis) == [nil, nil])
        #expect(RegisterTotals(register.entries).unknownAmounts == 0)
        #expect(RegisterTotals(register.entries).revocations == [.family: 1])
    }

    @Test func `a refund that turns out to be none is reversed, and stays a revocation`() throws {
        let register = try register(Sample.revoked(1), Sample.revoked(1, nil, reason: 2), Sample.revoked(1))
        let told = ["refund 9990", "reversal -9990", "revocation upgradeToBundle", "refund 9990"]
        #expect(register.entries.map(\.told) == told + ["reinstatement upgradeToBundle"])
        #expect(register.entries.map(\.endsAccess) == [true, false, false, false, false])
        #expect(Set(register.entries.map(\.id)).count == 5)
    }

    // MARK: Order and knowledge

    @Test func `a refund that arrives after its reversal yields both`() throws {
        var register = TransactionRegister()
        #expect(register.take(try Sample.rendering(at: 4, signed: 9)).isEmpty)
        let change = register.take(try Sample.rendering(at: 8, signed: 5, Sample.revoked(4)))
        #expect(change.closed == [] && change.opened == register.entries && change.position == Position(8))
        #expect(register.entries.map(\.told) == ["refund 9990", "reversal -9990"])
        #expect(register.entries.map(\.discovery.position) == [Position(8), Position(4)])
        #expect(register.entries[1].reverses == Position(8))
    }

    @Test func `a reversal that comes to light between two refunds splits what was one`() throws {
        var register = TransactionRegister()
        _ = register.take(try Sample.rendering(at: 1, signed: 2, Sample.revoked(1)))
        let unchanged = register.take(try Sample.rendering(at: 2, signed: 6, Sample.revoked(5)))
        #expect(unchanged.isEmpty)
        let change = register.take(try Sample.rendering(at: 3, signed: 4))
        #expect(change.closed.isEmpty)
        #expect(change.opened.map(\.told) == ["reversal -9990", "refund 9990"])
        #expect(register.entries.map(\.happenedAt) == [.day(1), .day(4), .day(5)])
    }

    @Test func `an older rendering of the same refund moves its signing and keeps its discovery`() throws {
        var register = TransactionRegister()
        _ = register.take(try Sample.rendering(at: 1, signed: 6, Sample.revoked(1), source: .api))
        let change = register.take(try Sample.rendering(at: 2, signed: 2, Sample.revoked(1)))
        #expect(change.closed.map(\.statement.signedAt) == [.day(6)])
        #expect(change.opened.map(\.statement.signedAt) == [.day(2)])
        #expect(change.opened.map(\.discovery.source) == [.api])
        #expect(change.opened.map(\.amount) == change.closed.map(\.amount))
    }

    @Test func `a rendering that is known already changes nothing`() throws {
        var register = try register([:], Sample.revoked(1))
        #expect(register.take(try Sample.rendering(at: 9, signed: 2, Sample.revoked(1))).isEmpty)
        #expect(register.renderings.count == 2)
    }

    @Test func `of two renderings signed in one millisecond the revoked one counts, and is flagged`() throws {
        let both = [try Sample.rendering(at: 1, signed: 2), try Sample.rendering(at: 2, signed: 2, Sample.revoked(1))]
        for order in [both, both.reversed()] {
            let register = TransactionRegister(order)
            #expect(register.entries.map(\.told) == ["refund 9990"])
            #expect(register.entries[0].flags == [.tied])
        }
    }

    @Test func `an event that is no transaction, or has no identity, is no rendering`() {
        #expect(RegisterRendering(event(.notification, .notification("1"))) == nil)
        #expect(RegisterRendering(event(.transaction, .transaction("1", ["signedDate": nil]))) == nil)
    }

    @Test func `a register of nothing says nothing`() {
        #expect(TransactionRegister().entries == [] && TransactionRegister().subject == nil)
        #expect(TransactionRegister().refunded == .nothing)
    }

    @Test func `problems with the app are counted apart`() throws {
        let register = try register(Sample.revoked(1, reason: 1), [:], Sample.revoked(3, reason: 0))
        let totals = RegisterTotals(register.entries)
        #expect((totals.refunds, totals.reversals, totals.refundsForAppProblems) == (2, 1, 1))
        #expect(totals.byCurrency.map { [$0.milliunits, Int128($0.refunds), Int128($0.reversals)] } == [[9990, 2, 1]])
    }

    @Test func `sums pass 64 bits and come back`() throws {
        let whole = try register(prorated(100_000, price: .max)).entries
        var totals = RegisterTotals(whole + whole + whole)
        #expect(totals.byCurrency.map(\.milliunits) == [3 * Int128(Int64.max)])
        for entry in whole + whole + whole { totals.remove(entry) }
        #expect(totals == RegisterTotals())
    }
}
