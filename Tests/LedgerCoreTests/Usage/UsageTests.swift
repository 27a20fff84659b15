import LedgerCore
import Testing

/// Used units, as services report them.
@Suite("Usage")
struct UsageTests {
    private func usage(
        _ amount: Int64 = 3,
        _ key: String = "a",
        unit: String? = "coins",
        holder: CustomerKey = .appTransactionID(AppTransactionID(rawValue: "7")),
        usedAt: Instant? = nil
    ) throws(UsageReportError) -> Usage {
        try Usage(
            holder: holder,
            unit: unit,
            amount: amount,
            idempotencyKey: IdempotencyKey(rawValue: key),
            usedAt: usedAt
        )
    }

    @Test func `a report is read as it was written, whoever it names`() throws {
        let reports = [
            try usage(), try usage(1, "é\"", usedAt: Instant(milliseconds: -1)),
            try usage(holder: .appAccountToken(AppAccountToken(rawValue: "0AA7A1F0-6D4E-4BD5-9A53-000000000002"))),
            try usage(holder: .originalTransactionID(OriginalTransactionID(rawValue: "5"))),
            try usage(unit: nil, holder: .transactionID(TransactionID(rawValue: "6"))),
        ]
        for report in reports { #expect(Usage(json: report.json) == report) }
        #expect(
            String(decoding: reports[0].json, as: UTF8.self)
                == #"{"amount":3,"appTransactionId":"7","idempotencyKey":"a","unit":"coins"}"#
        )
        for text in ["", "{}", "[]", #"{"amount":0,"appTransactionId":"7","idempotencyKey":"a","unit":"coins"}"#] {
            #expect(Usage(json: Array(text.utf8)) == nil, "\(text)")
        }
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
            (1, "a", nil, "A usage needs a \"unit\" unless it names one transaction by its \"transactionId\"."),
        ] as [(Int64, String, String?, String)]
    )
    func `what cannot be is refused with a sentence`(amount: Int64, key: String, unit: String?, sentence: String) {
        let error = #expect(throws: UsageReportError.self) { try usage(amount, key, unit: unit) }
        #expect(error?.description == sentence)
    }

    @Test func `whom a report names must be a name`() {
        let error = #expect(throws: UsageReportError.self) {
            try usage(holder: .appTransactionID(AppTransactionID(rawValue: "")))
        }
        #expect(error?.description == "The \"appTransactionId\" of a usage must have 1 to 512 bytes without U+0000.")
    }
}
