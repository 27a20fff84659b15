import LedgerCore
import TestSupport
import Testing

/// `nextChangeAt` is when time alone changes the answer: never later than a real change.
@Suite("Next change")
struct NextChangeTests {
    private static let catalog = Catalog(products: [
        ProductID(rawValue: "com.example.basic.monthly"): CatalogProduct(
            entitlement: "pro",
            level: 2,
            duration: CalendarDuration(iso8601: "P2D"),
            unit: "coin",
            units: 3
        )
    ])

    /// All that an answer says, but for the instant it was asked about.
    private func answer(_ facts: CustomerFacts, at instant: Instant) -> (json: [UInt8], next: Instant?) {
        let set = EntitlementEvaluator.evaluate(facts, catalog: Self.catalog, at: instant)
        var json = JSONWriter()
        let context = AnswerContext(
            environment: .production,
            key: .transactionID(TransactionID(rawValue: "1")),
            at: .day(0),
            position: Position(1)
        )
        set.write(to: &json, context)
        return (json.bytes, set.nextChangeAt)
    }

    /// Every instant around which something could change.
    private func candidates(_ facts: CustomerFacts) -> [Instant] {
        let dates = facts.lines.flatMap { line in
            line.transactions.flatMap { [$0.purchaseDate, $0.expiresDate, $0.revocationDate, $0.rendering.signedAt] }
                + [
                    line.renewal?.gracePeriodExpiresDate, line.renewal?.renewalDate,
                    line.renewal?.rendering.signedAt, line.line.appleStatus?.rank,
                ]
        }
        let known = (dates + [facts.consentRescindedAt]).compactMap { $0 }
        return Set(known.flatMap { [$0, $0.days(2), $0.days(3), $0.days(60)] }).sorted()
    }

    private func customer(_ seed: UInt64) -> CustomerFacts {
        var facts = FactSet()
        for event in Story(seed: seed, count: 14, lines: 5).events { facts.fold(event) }
        let lines = facts.lines.filter { $0.key.environment == .production }.map { key, line in
            LineFacts(
                line: line,
                transactions: facts.transactions.filter {
                    $0.key.environment == .production && $0.value.originalTransactionID == key.id
                }.map(\.value).sorted { $0.transactionID < $1.transactionID },
                renewal: facts.renewals[key]
            )
        }
        let consent = facts.consents.first { $0.key.environment == .production }?.value.rescindedAt
        return CustomerFacts(
            lines: lines.sorted { $0.line.originalTransactionID < $1.line.originalTransactionID },
            consentRescindedAt: consent
        )
    }

    @Test(arguments: 5000..<5050 as Range<UInt64>)
    func `until nextChangeAt the answer stays the same`(_ seed: UInt64) {
        let facts = customer(seed)
        let candidates = candidates(facts)
        for start in candidates.flatMap({ [$0.justBefore, $0] }) {
            let now = answer(facts, at: start)
            let end = now.next ?? Instant.day(100_000)
            #expect(end > start, "seed \(seed), at \(start.milliseconds)")
            let between = candidates.filter { $0 > start && $0 < end }.flatMap { [$0.justBefore, $0] }
            let changed = ([end.justBefore] + between).filter { $0 > start }.first { later in
                let then = answer(facts, at: later)
                return then.json != now.json || then.next != now.next
            }
            guard let changed else { continue }
            let (before, after) = (String(decoding: now.json, as: UTF8.self), answer(facts, at: changed).json)
            Issue.record(
                """
                seed \(seed): asked at \(start.milliseconds), changed by \(changed.milliseconds):
                \(before)
                \(String(decoding: after, as: UTF8.self))
                """
            )
            return
        }
    }

    @Test func `a change that is announced is one: the answer differs at nextChangeAt`() {
        // A subscription with a grace period goes through four states, each announced by the one before it.
        let facts = CustomerFacts(lines: [
            LineFacts(
                [.sample("1", from: 0, to: 30)],
                renewal: .failedCharge(signed: .day(30), graceUntil: .day(46))
            )
        ])
        var instant = Instant.day(1)
        var changes: [Instant] = []
        while let next = answer(facts, at: instant).next {
            #expect(answer(facts, at: next.justBefore).json == answer(facts, at: instant).json)
            #expect(answer(facts, at: next).json != answer(facts, at: instant).json)
            changes.append(next)
            instant = next
        }
        #expect(changes == [.day(30), .day(46), .day(90)])
    }
}
