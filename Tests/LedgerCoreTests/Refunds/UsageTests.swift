import LedgerCore
import Testing

/// Used units, as services report them.
@Suite("Usage")
struct UsageTests {
    private let customer = CustomerKey.appTransactionID(AppTransactionID(rawValue: "7"))

    private func usage(_ amount: Int64, _ key: String, unit: String = "coins") throws(UsageError) -> Usage {
        try Usage(customer: customer, unit: unit, amount: amount, idempotencyKey: key)
    }

    @Test func `a report counts once; another one under its key does not count`() throws {
        var tally = UsageTally()
        #expect(tally.take(try usage(3, "a")) == .counted)
        #expect(tally.take(try usage(3, "a")) == .duplicate)
        #expect(tally.take(try usage(4, "a")) == .conflict)
        #expect(tally.take(try usage(4, "b")) == .counted)
        #expect(tally.take(try usage(9, "c", unit: "gems")) == .counted)
        #expect(tally.used(of: "coins") == 7 && tally.used(of: "gems") == 9 && tally.used(of: "stars") == 0)
    }

    @Test(
        arguments: [
            (0, "a", "coins", "A usage of 0 units cannot be: \"amount\" is a whole number from 1 to 1000000000000."),
            (-1, "a", "coins", "A usage of -1 units cannot be: \"amount\" is a whole number from 1 to 1000000000000."),
            (
                1_000_000_000_001, "a", "coins",
                "A usage of 1000000000001 units cannot be: \"amount\" is a whole number from 1 to 1000000000000."
            ),
            (1, "", "coins", "A usage needs an \"idempotencyKey\" of 1 to 512 bytes without U+0000."),
            (1, "a\u{0}", "coins", "A usage needs an \"idempotencyKey\" of 1 to 512 bytes without U+0000."),
            (1, "a", "", "A usage needs a \"unit\" of 1 to 512 bytes without U+0000."),
            (1, "a", String(repeating: "u", count: 513), "A usage needs a \"unit\" of 1 to 512 bytes without U+0000."),
        ] as [(Int64, String, String, String)]
    )
    func `what cannot be is refused with a sentence`(amount: Int64, key: String, unit: String, sentence: String) {
        let error = #expect(throws: UsageError.self) { try usage(amount, key, unit: unit) }
        #expect(error?.description == sentence)
    }
}
