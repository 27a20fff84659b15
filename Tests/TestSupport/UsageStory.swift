package import LedgerCore

/// Random reports of used units about the consumables of a ``Story``: by every kind of key, with times and without.
package struct UsageStory: Sendable {
    /// A report, and where it is about.
    package struct Report: Hashable, Sendable {
        package var usage: Usage
        package var environment: StoreEnvironment

        package init(usage: Usage, environment: StoreEnvironment) {
            self.usage = usage
            self.environment = environment
        }
    }

    package private(set) var reports: [Report] = []

    /// So many reports about a story with so many lines; the same seed gives the same reports.
    package init(seed: UInt64, count: Int, lines: Int) throws {
        var random = SeededGenerator(seed: seed)
        // Every sixth line of a story has consumables.
        let consumables = Array(stride(from: 2, to: max(3, lines), by: 6))
        for number in 0..<count {
            let line = consumables.randomElement(using: &random) ?? 2
            let holder: CustomerKey =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: .transactionID(TransactionID(rawValue: "10\(line)\(Int.random(in: 0..<3, using: &random))"))
                case 1: .originalTransactionID(OriginalTransactionID(rawValue: "10\(line)0"))
                case 2: .appAccountToken(AppAccountToken(rawValue: Story.tokens.randomElement(using: &random) ?? "0"))
                default:
                    .appTransactionID(
                        AppTransactionID(rawValue: Story.customers.randomElement(using: &random) ?? "0")
                    )
                }
            let units = ["coins", "coins", "gems", "gems", "com.example.pro.monthly"]
            let isUnitTold = if case .transactionID = holder { Bool.random(using: &random) } else { true }
            let day = Int64.random(in: -1...14, using: &random)
            reports.append(
                Report(
                    usage: try Usage(
                        holder: holder,
                        unit: isUnitTold ? units.randomElement(using: &random) : nil,
                        amount: Int64.random(in: 1...25, using: &random),
                        idempotencyKey: IdempotencyKey(rawValue: "\(seed) \(number)"),
                        usedAt: Bool.random(using: &random)
                            ? Instant(milliseconds: Payload.sampleSignedDate + day * 86_400_000) : nil
                    ),
                    environment: Int.random(in: 0..<4, using: &random) == 0 ? .sandbox : .production
                )
            )
        }
    }

    /// The reports as a log would hold them behind other events.
    package func events(after events: [LedgerEvent]) -> [LedgerEvent] {
        reports.enumerated().map { index, report in
            let position = Position(Int64(events.count + index + 1))
            let payload = report.usage.json
            return LedgerEvent(
                position: position,
                kind: .usage,
                environment: report.environment,
                source: .operator,
                recordedAt: Instant(milliseconds: position.rawValue),
                digest: DocumentDigest(testPayload: payload),
                payload: payload
            )
        }
    }
}
