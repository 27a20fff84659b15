import TestSupport
import Testing

@testable import LedgerCore

/// What became of a request for a refund (PROTOCOL.md sections 4.5 and 8.5).
@Suite("Registers: refund requests")
struct RefundRequestOutcomeTests {
    /// The outcome of a request on day 10, by renderings signed on some days, refusals and further requests.
    private func outcome(
        _ renderings: [(signed: Double, changes: [String: Payload.Value?])],
        refusals: [Double] = [],
        requests: [Double] = []
    ) throws -> RefundRequestOutcome {
        let register = TransactionRegister(
            try renderings.enumerated().map { index, rendering in
                try RegisterSample.rendering(at: Int64(index + 1), signed: rendering.signed, rendering.changes)
            }
        )
        return RefundRequestOutcome(
            of: .day(10),
            entries: register.entries,
            refusals: refusals.enumerated().map { index, day in
                RefundRequestOutcome.Refusal(signedAt: .day(day), position: Position(Int64(100 + index)))
            },
            requests: ([10] + requests).map { Instant.day($0) }
        )
    }

    private let sold: (signed: Double, changes: [String: Payload.Value?]) = (0, [:])
    private func refund(_ day: Double, _ percentage: Int64 = 100_000) -> (Double, [String: Payload.Value?]) {
        (day, RegisterSample.revoked(day, "REFUND_PRORATED", percentage: percentage))
    }

    @Test func `nothing yet is open`() throws {
        let outcome = try outcome([sold])
        #expect(outcome.kind == .open && outcome.happenedAt == nil && outcome.amount == nil)
    }

    @Test func `a refund answers it, with its date, its event and its amount`() throws {
        let outcome = try outcome([sold, refund(11, 40_000)])
        #expect(outcome.kind == .refunded && outcome.happenedAt == .day(11) && outcome.position == Position(2))
        #expect(outcome.amount == Money(amount: Milliunits(3996), currency: CurrencyCode(rawValue: "USD")))
    }

    @Test func `a refund from before the request does not answer it, and is not in its amount`() throws {
        #expect(try outcome([sold, refund(9, 40_000)]).kind == .open)
        let outcome = try outcome([sold, refund(9, 40_000), refund(12)])
        #expect(outcome.kind == .refunded && outcome.amount?.amount == Milliunits(5994))
    }

    @Test func `a reversal takes the refund back`() throws {
        let outcome = try outcome([sold, refund(11), (13, [:])])
        #expect(outcome.kind == .reversed && outcome.happenedAt == .day(13) && outcome.position == Position(3))
        #expect(outcome.amount?.amount == Milliunits(0))
        #expect(try self.outcome([sold, refund(11), (13, [:]), refund(14)]).kind == .refunded)
    }

    @Test func `a refusal declines it, unless it was signed before the request`() throws {
        let outcome = try outcome([sold], refusals: [12, 11])
        #expect(outcome.kind == .declined && outcome.happenedAt == .day(11) && outcome.position == Position(101))
        #expect(try self.outcome([sold], refusals: [9]).kind == .open)
    }

    @Test func `facts win over a refusal, unless the customer asked again in between`() throws {
        #expect(try outcome([sold, refund(13)], refusals: [11]).kind == .refunded)
        #expect(try outcome([sold, refund(13)], refusals: [11], requests: [12]).kind == .declined)
        #expect(try outcome([sold, refund(11)], refusals: [12]).kind == .refunded)
    }

    @Test func `an unknown amount is not zero`() throws {
        let outcome = try outcome([sold, refund(11, 250_000)])
        #expect(outcome.kind == .refunded && outcome.amount == nil)
    }
}
