import EventStore
import LedgerCore
import TestSupport

/// What comes to a ledger: signed documents, or a report of used units.
enum Arrival {
    case unit(AppendUnit)
    case report(UsageStory.Report)
}

extension ProjectionHarness {
    /// Records what came.
    func record(_ arrival: Arrival) throws {
        switch arrival {
        case .unit(let unit): try append([unit])
        case .report(let report): try record(report)
        }
    }
}

/// Transactions that move between lines, whose tokens and customers change, and reports of used units about them.
///
/// Their identifiers are none of a ``Story``.
enum MovingTransactions {
    private static let transactions = ["901", "902"]
    private static let lines = ["900", "910", "920"]

    /// One transaction on three lines, signed at different times and unlike each other, in the order of their signing.
    static func renderings(using random: inout SeededGenerator) throws -> [Arrival] {
        try lines.shuffled(using: &random).enumerated().map { number, line in
            try rendering(of: transactions[0], on: line, day: Int64(number), &random)
        }
    }

    /// A transaction on a line.
    static func rendering(using random: inout SeededGenerator) throws -> Arrival {
        try rendering(
            of: transactions.randomElement(using: &random) ?? transactions[0],
            on: lines.randomElement(using: &random) ?? lines[0],
            day: Int64.random(in: 0..<6, using: &random),
            &random
        )
    }

    private static func rendering(
        of transaction: String,
        on line: String,
        day: Int64,
        _ random: inout SeededGenerator
    ) throws -> Arrival {
        let payload = Payload.transaction(
            transaction,
            line: line,
            [
                "signedDate": .integer(Payload.sampleSignedDate + day * 86_400_000), "type": "Consumable",
                "appTransactionId": .text(Story.customers.randomElement(using: &random) ?? Story.customers[0]),
                "appAccountToken": .text(Story.tokens.randomElement(using: &random) ?? Story.tokens[0]),
            ]
        )
        return .unit(AppendUnit(try SimulatedStore.shared().verified(payload, as: .transaction), source: .device))
    }

    /// A report about a key with one of ``CustomerKey/names``.
    static func report(
        _ idempotencyKey: String,
        about name: StaticString,
        using random: inout SeededGenerator
    ) throws -> Arrival {
        let values = [
            "appTransactionId": Story.customers, "appAccountToken": Story.tokens, "transactionId": transactions,
        ]
        let value = (values["\(name)"] ?? lines).randomElement(using: &random)
        guard let value, let holder = CustomerKey(name: "\(name)", value: value) else {
            preconditionFailure("no key is called \(name)")
        }
        return .report(
            UsageStory.Report(
                usage: try Usage(
                    holder: holder,
                    unit: "coins",
                    amount: 1,
                    idempotencyKey: IdempotencyKey(rawValue: idempotencyKey)
                ),
                environment: .production
            )
        )
    }
}
