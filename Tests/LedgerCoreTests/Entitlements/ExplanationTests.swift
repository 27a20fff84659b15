import TestSupport
import Testing

@testable import LedgerCore

/// The explanation of an answer: it comes from the evaluation itself, so the explained set is the plain one.
@Suite struct ExplanationTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `the explained set of any story is the plain one, and every fact is used or set aside`(_ number: UInt64) {
        let story = Story(seed: 0xE8_91A1_0000 + number, count: 40)
        var facts = FactSet()
        for event in story.events { facts.fold(event) }
        for customer in Story.customers {
            let found = facts.customer(.appTransactionID(AppTransactionID(rawValue: customer)), in: .production)
            for day in -1..<22 {
                let instant = Instant(milliseconds: Payload.sampleSignedDate + Int64(day) * 86_400_000)
                let plain = EntitlementEvaluator.evaluate(found, catalog: .empty, at: instant)
                let (explained, explanation) = EntitlementEvaluator.explain(found, catalog: .empty, at: instant)
                #expect(explained == plain, "seed \(0xE8_91A1_0000 + number), \(customer), day \(day)")
                let told = explanation.products.flatMap { $0.used + $0.setAside.map(\.fact) }
                let transactions = found.lines.flatMap(\.transactions).map { FactReference($0) }
                #expect(
                    told.filter(\.isTransaction).sorted(by: \.text) == transactions.sorted(by: \.text),
                    "seed \(0xE8_91A1_0000 + number), \(customer), day \(day)"
                )
            }
        }
    }

    /// What the explanation of one line says: the rules, what was used, what was set aside and why.
    private func tell(
        _ line: LineFacts,
        at day: Double,
        catalog: Catalog = .empty
    ) -> [String] {
        let (_, explanation) = EntitlementEvaluator.explain(
            CustomerFacts(lines: [line]),
            catalog: catalog,
            at: .day(day)
        )
        return explanation.products.flatMap { product in
            product.rules.map { "\($0.name)" } + product.used.map { "used \($0.text)" }
                + product.setAside.map { "\($0.fact.text): \($0.reason.name)" }
        }
    }

    private func line(_ transactions: [TransactionFact], _ renewal: RenewalFact? = nil) -> LineFacts {
        LineFacts(line: LineFact(OriginalTransactionID(rawValue: "1")), transactions: transactions, renewal: renewal)
    }

    @Test func `a subscription tells its purchases and the step that decided`() {
        let first = TransactionFact.sample("1", from: 0, to: 30)
        let second = TransactionFact.sample("2", from: 30, to: 60)
        let upgraded = TransactionFact.sample("3", from: 31, to: 61) { $0.isUpgraded = true }
        let refunded = TransactionFact.sample("4", from: 32, to: 62).revoked(at: .day(33))
        let later = TransactionFact.sample("5", from: 90, to: 120)
        let all = line([first, second, upgraded, refunded, later])
        #expect(
            tell(all, at: 40) == [
                "newestPurchase", "withinPeriod", "named", "used 2", "1: olderPurchase", "3: upgraded", "4: revoked",
                "5: notBegun",
            ]
        )
        #expect(
            tell(all, at: 61) == [
                "newestPurchase", "revoked", "used 2", "used 4", "1: olderPurchase", "3: upgraded", "5: notBegun",
            ]
        )
        #expect(tell(line([refunded]), at: 70) == ["noPurchaseInForce", "expired", "used 4"])
        #expect(tell(line([later]), at: 0) == ["notBegun", "5: notBegun"])
    }

    @Test func `other products tell what they last for, give and take back`() {
        let lifetime = TransactionFact.sample("1", type: .nonConsumable, product: "lifetime", from: 0)
        let copy = TransactionFact.sample("2", type: .nonConsumable, product: "lifetime", from: 1)
        #expect(tell(line([lifetime, copy]), at: 2) == ["boughtForGood", "named", "used 2", "1: olderPurchase"])
        let gone = lifetime.revoked(at: .day(1))
        #expect(tell(line([gone]), at: 2) == ["noPurchaseInForce", "1: revoked"])
        let season = TransactionFact.sample("1", type: .nonRenewingSubscription, product: "season", from: 0)
        let catalog = Catalog(products: [
            ProductID(rawValue: "season"): CatalogProduct(duration: CalendarDuration(iso8601: "P10D"))
        ])
        #expect(tell(line([season]), at: 5, catalog: catalog) == ["nonRenewing", "named", "used 1"])
        #expect(tell(line([season]), at: 15, catalog: catalog) == ["nonRenewing", "used 1"])
        let coins = TransactionFact.sample("1", type: .consumable, product: "coins", from: 0)
        #expect(tell(line([coins]), at: 1) == ["unitsGranted", "used 1"])
        #expect(
            tell(line([coins.revoked(at: .day(1))]), at: 2) == ["unitsGranted", "unitsTakenBack", "used 1"]
        )
        var strange = coins
        strange.type = .unknown("Future")
        #expect(tell(line([strange]), at: 1) == ["1: typeUnknown"])
    }

    @Test func `every sentence names what it speaks of`() {
        let day = Instant.day(0)
        let id = TransactionID(rawValue: "77")
        let rules: [AppliedRule] = [
            .newestPurchase(id, bought: day), .revoked(id, since: day), .revoked(id, since: nil), .boughtForGood(id),
            .nonRenewing(id, until: day, isOver: true), .nonRenewing(id, until: day, isOver: false),
            .nonRenewing(id, until: nil, isOver: false), .unitsGranted(id, units: 5, unit: "coins"),
            .unitsTakenBack(id, units: 5, unit: "coins"),
        ]
        for rule in rules { #expect(rule.sentence.contains("77") && rule.sentence.hasSuffix("."), "\(rule.name)") }
        #expect(AppliedRule.named("pro", level: 2).sentence == "The catalog calls it pro, level 2.")
        #expect(
            AppliedRule.withinPeriod(until: day).sentence
                == "The paid period runs until 2026-01-01T00:00:00.000Z: access."
        )
    }
}

extension FactReference {
    fileprivate var isTransaction: Bool { if case .transaction = kind { true } else { false } }

    fileprivate var text: String {
        switch kind {
        case .transaction(let id, _): id.rawValue
        case .renewalInfo: "renewal info"
        case .appleStatus(let status): "status \(status)"
        }
    }
}

extension Sequence {
    fileprivate func sorted(by text: (Element) -> String) -> [Element] { sorted { text($0) < text($1) } }
}
