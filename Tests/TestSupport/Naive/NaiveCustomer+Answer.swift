package import LedgerCore

extension NaiveCustomer {
    /// The members of the entitlement set that facts decide: all but the question and `nextChangeAt` (API.md, "Asking").
    package func answer(at instant: Instant, _ catalog: NaiveCatalog) -> JSONValue {
        let time = instant.milliseconds
        let subscriptions = lines.compactMap { NaiveSubscription($0, time) }
        return .members([
            "entitlements": .array(NaiveGrant.rows(grants(time, subscriptions, catalog))),
            "subscriptions": .array(subscriptions.map(\.row)),
            "balances": .array(balances(time, catalog)),
            "consentRescinded": .boolean(rescinded.map { $0 <= time } ?? false),
        ])
    }

    /// Every instant later than `instant` at which time alone could change the answer.
    package func dates(after instant: Instant, _ catalog: NaiveCatalog) -> [Instant] {
        var dates = rescinded.map { [$0] } ?? []
        // Of others' purchases only consumables can matter, and only to who has some.
        let consumables = everyLine.flatMap(\.purchases).filter { $0.type == "Consumable" }
        if !usages.isEmpty, hasConsumables {
            dates += usages.map(\.used) + consumables.flatMap { [$0.begins, $0.revoked ?? $0.begins] }
        }
        for line in lines {
            let renewal = line.renewal
            let ends = [renewal?.integer("renewalDate"), renewal?.integer("gracePeriodExpiresDate")].compactMap { $0 }
            dates += ends + ends.flatMap { [$0 + NaiveSubscription.assumedGrace, $0 + NaiveSubscription.retry] }
            for purchase in line.purchases {
                dates += purchase.dates
                let duration = purchase.product.flatMap(catalog.duration)
                dates += duration.map { [purchase.purchased + $0] } ?? []
            }
        }
        return Set(dates).filter { $0 > instant.milliseconds }.sorted().map(Instant.init(milliseconds:))
    }

    /// PROTOCOL.md 8.3, the table of products.
    private func grants(
        _ time: Int64,
        _ subscriptions: [NaiveSubscription],
        _ catalog: NaiveCatalog
    ) -> [NaiveGrant] {
        var grants = subscriptions.filter { $0.status == 1 || $0.status == 4 }.compactMap {
            NaiveGrant($0.line, $0.subject, $0.status == 1 ? "active" : "gracePeriod", until: $0.accessUntil, catalog)
        }
        // The newest of each line and product: a restored copy is the same purchase.
        for line in lines {
            let live = line.purchases.filter { $0.type == "Non-Consumable" && $0.isLive(time) }
            for copies in Dictionary(grouping: live, by: \.product).values {
                guard let purchase = copies.max(by: NaivePurchase.isOlder) else { continue }
                if let grant = NaiveGrant(line, purchase, "active", until: nil, catalog) { grants.append(grant) }
            }
        }
        // The newest of each product, over all lines.
        let rented = lines.flatMap { line in
            line.purchases.filter { $0.type == "Non-Renewing Subscription" && $0.isLive(time) }.map { (line, $0) }
        }
        for purchases in Dictionary(grouping: rented, by: \.1.product).values {
            guard let (line, purchase) = purchases.max(by: { NaivePurchase.isOlder($0.1, $1.1) }) else { continue }
            let end = purchase.product.flatMap(catalog.duration).map { purchase.purchased + $0 }
            guard time < end ?? .max else { continue }
            if let grant = NaiveGrant(line, purchase, "active", until: end, catalog) { grants.append(grant) }
        }
        return grants
    }

    private var hasConsumables: Bool { lines.contains { $0.purchases.contains { $0.type == "Consumable" } } }

    /// PROTOCOL.md 8.5: what consumables brought, and what revocations take back.
    private func balances(_ time: Int64, _ catalog: NaiveCatalog) -> [JSONValue] {
        guard hasConsumables else { return [] }
        let used = NaiveUsage.spread(usages, over: everyLine, time, catalog)
        var accounts: [String: (granted: Int64, clawedBack: Int64, used: Int64, owed: Int64)] = [:]
        for purchase in lines.flatMap(\.purchases) where purchase.type == "Consumable" && purchase.hasBegun(time) {
            guard let product = purchase.product else { continue }
            let units = catalog.units(product) * max(0, purchase.document.integer("quantity") ?? 1)
            var account = accounts[catalog.unit(product)] ?? (0, 0, 0, 0)
            let taken = purchase.takenBack(of: units, time, catalog)
            let usedUp = used[purchase.id] ?? 0
            account.granted += units
            account.clawedBack += taken
            account.used += usedUp
            account.owed += min(taken, max(0, taken + usedUp - units))
            accounts[catalog.unit(product)] = account
        }
        return accounts.sorted { $0.key < $1.key }.map { unit, account in
            .members([
                "unit": .string(unit), "granted": .integer(account.granted),
                "clawedBack": .integer(account.clawedBack), "used": .integer(account.used),
                "net": .integer(max(0, account.granted - account.clawedBack - account.used + account.owed)),
                "owed": .integer(account.owed),
            ])
        }
    }
}
