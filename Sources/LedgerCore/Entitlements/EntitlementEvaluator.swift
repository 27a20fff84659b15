/// Answers what a customer may use at an instant: a pure function of facts, catalog and instant (PROTOCOL.md sections
/// 8.3 to 8.5).
///
/// The live reads, the questions about the past and the tests all go through it.
package struct EntitlementEvaluator {
    private let catalog: Catalog
    private let instant: Instant
    private var set = EntitlementSet()
    private var balances: [String: Balance] = [:]
    private var nonRenewing: [ProductID: LineTransaction] = [:]
    /// The units used of each consumable; empty for nearly every customer.
    private var used: [TransactionID: Int128] = [:]
    /// What is recorded of the rules and facts; nil unless somebody asked why.
    private var explanation: Explanation?

    /// What these facts mean at this instant.
    package static func evaluate(_ facts: CustomerFacts, catalog: Catalog, at instant: Instant) -> EntitlementSet {
        var evaluator = EntitlementEvaluator(catalog: catalog, instant: instant)
        evaluator.evaluate(facts)
        return evaluator.set
    }

    /// The same, and why: the rules in the order in which they were applied, and what became of each fact.
    package static func explain(
        _ facts: CustomerFacts,
        catalog: Catalog,
        at instant: Instant
    ) -> (set: EntitlementSet, explanation: Explanation) {
        var evaluator = EntitlementEvaluator(catalog: catalog, instant: instant)
        evaluator.explanation = Explanation()
        evaluator.evaluate(facts)
        return (evaluator.set, evaluator.explanation ?? Explanation())
    }

    private mutating func evaluate(_ facts: CustomerFacts) {
        if let usage = facts.usage {
            used = UsageSpread(usage, catalog: catalog, at: instant).used
            for report in usage.usages { noteChange(at: report.usedAt) }
            // The purchases that reports are spread over change what falls on the customer's own.
            for purchase in usage.lines.lazy.flatMap(\.purchases) where purchase.fact.type?.known == .consumable {
                noteChange(at: purchase.fact.beginsAt)
                noteChange(at: purchase.fact.revocationDate)
            }
        }
        for line in facts.lines { add(line) }
        set.consentRescinded = facts.consentRescindedAt.map { $0 <= instant } ?? false
        noteChange(at: facts.consentRescindedAt)
        finish()
    }

    private init(catalog: Catalog, instant: Instant) {
        self.catalog = catalog
        self.instant = instant
    }

    /// A line's products are all of one type, except where the type is unknown: those grant nothing and are kept
    /// (PROTOCOL.md section 8.9).
    private mutating func add(_ facts: LineFacts) {
        // Nearly every line is a subscription and nothing else: then nothing is copied.
        if facts.purchases.allSatisfy({ $0.fact.type?.known == .autoRenewableSubscription }) {
            return addSubscription(facts)
        }
        for purchase in facts.purchases.lazy.map({ LineTransaction(facts, $0) }) {
            switch purchase.fact.type?.known {
            case .consumable: addConsumable(purchase.fact)
            case .nonRenewingSubscription: addNonRenewing(purchase)
            case .autoRenewableSubscription, .nonConsumable: break
            case nil: explanation?.setAside(FactReference(purchase.fact), .typeUnknown, of: purchase.fact)
            }
        }
        let renewed = facts.purchases.filter { $0.fact.type?.known == .autoRenewableSubscription }
        if !renewed.isEmpty {
            addSubscription(LineFacts(line: facts.line, purchases: renewed, renewal: facts.renewal))
        }
        addNonConsumables(facts)
    }

    private mutating func addSubscription(_ facts: LineFacts) {
        let evaluator = SubscriptionEvaluator(facts, at: instant)
        guard let state = evaluator.state(), let newest = evaluator.newestPurchase() else {
            // Nothing has begun: the first purchase is what changes the answer.
            for purchase in facts.purchases { noteChange(at: purchase.fact.beginsAt) }
            explanation?.addLineBeforeItsBegin(facts, at: instant)
            return
        }
        explanation?.add(state, of: evaluator)
        noteChange(at: state.nextChangeAt)
        var agrees: Bool?
        if let apple = facts.line.appleStatus {
            let ours = SubscriptionEvaluator(facts, at: min(apple.rank, instant)).state()?.status
            agrees = ours?.rawValue == apple.value
            explanation?.add(apple, agrees: agrees == true, to: state)
        }
        set.subscriptions.append(
            Subscription(state: state, newestPurchase: newest, agreesWithApple: agrees, instant: instant)
        )
        guard state.status.grantsAccess else { return }
        grant(state.purchase, status: state.status, until: state.accessUntil)
    }

    /// Purchased or shared, a non-consumable grants access while it has no revocation.
    ///
    /// One row a line and product: a restored copy has another transactionId and is the same purchase.
    private mutating func addNonConsumables(_ facts: LineFacts) {
        var newest: [ProductID: LineTransaction] = [:]
        for purchase in facts.purchases.lazy.map({ LineTransaction(facts, $0) }) {
            let transaction = purchase.fact
            guard transaction.type?.known == .nonConsumable else { continue }
            noteChange(at: transaction.revocationDate)
            guard let product = transaction.productID else {
                explanation?.setAside(FactReference(transaction), .productMissing, of: transaction)
                continue
            }
            guard transaction.isLive(at: instant) else {
                noteChange(at: transaction.beginsAt)
                explanation?.setAsideUnlessLive(transaction, at: instant)
                continue
            }
            if let other = newest[product], !other.fact.precedes(transaction) { continue }
            newest[product] = purchase
        }
        for (product, purchase) in newest {
            explanation?.addNonConsumable(
                purchase.fact,
                among: facts.transactions.filter { $0.productID == product },
                at: instant
            )
            grant(purchase, status: .active, until: nil)
        }
    }

    /// The latest unrevoked purchase of each product counts, over all lines: each purchase is a line of its own.
    private mutating func addNonRenewing(_ purchase: LineTransaction) {
        let transaction = purchase.fact
        noteChange(at: transaction.revocationDate)
        guard let product = transaction.productID else {
            explanation?.setAside(FactReference(transaction), .productMissing, of: transaction)
            return
        }
        guard transaction.isLive(at: instant) else {
            noteChange(at: transaction.beginsAt)
            explanation?.setAsideUnlessLive(transaction, at: instant)
            return
        }
        if let other = nonRenewing[product]?.fact {
            let isNewer = other.precedes(transaction)
            let (older, newer) = isNewer ? (other, transaction) : (transaction, other)
            explanation?.setAside(FactReference(older), .olderThan(newer.transactionID), of: older)
            if !isNewer { return }
        }
        nonRenewing[product] = purchase
    }

    private mutating func addConsumable(_ transaction: TransactionFact) {
        guard let product = transaction.productID else {
            explanation?.setAside(FactReference(transaction), .productMissing, of: transaction)
            return
        }
        guard transaction.hasBegun(at: instant) else {
            explanation?.setAsideUnlessLive(transaction, at: instant)
            return noteChange(at: transaction.beginsAt)
        }
        let grant = UnitGrant(product, quantity: transaction.quantity, catalog)
        var balance = balances[grant.unit] ?? Balance(unit: grant.unit)
        balance.granted = balance.granted.addingClamped(Int64(clamping: grant.units))
        explanation?.addGrant(of: transaction, units: Int64(clamping: grant.units), grant.unit)
        noteChange(at: transaction.revocationDate)
        var taken: Int64 = 0
        if transaction.isRevoked(at: instant), let share = transaction.unitShareToTakeBack {
            taken = grant.share(share)
            balance.clawedBack = balance.clawedBack.addingClamped(taken)
            explanation?.add(.unitsTakenBack(transaction.transactionID, units: taken, unit: grant.unit), to: product)
        }
        if let units = used[transaction.transactionID] {
            let owed = grant.owed(of: taken, used: units)
            balance.used = balance.used.addingClamped(Int64(clamping: units))
            balance.owed = balance.owed.addingClamped(owed)
            explanation?.addUse(of: transaction, units: Int64(clamping: units), owed: owed, grant.unit)
        }
        balances[grant.unit] = balance
    }

    private mutating func grant(_ purchase: LineTransaction, status: SubscriptionStatus, until end: Instant?) {
        guard let product = purchase.fact.productID else { return }
        let entry = catalog.entry(for: product)
        let name = entry.entitlement ?? product.rawValue
        explanation?.addName(name, level: entry.level, to: purchase.fact)
        set.entitlements.append(
            Entitlement(
                name: name,
                purchase: purchase,
                status: status,
                accessUntil: end,
                level: entry.level
            )
        )
    }

    private mutating func noteChange(at change: Instant?) {
        guard let change, change > instant else { return }
        set.nextChangeAt = set.nextChangeAt.map { min($0, change) } ?? change
    }

    private mutating func finish() {
        for (product, purchase) in nonRenewing {
            let end = catalog.entry(for: product).duration?.added(to: purchase.fact.effectivePurchaseDate)
            explanation?.addNonRenewing(purchase.fact, until: end, at: instant)
            guard end.map({ instant < $0 }) ?? true else { continue }
            noteChange(at: end)
            grant(purchase, status: .active, until: end)
        }
        set.entitlements.sort { ($0.name, $0.transaction.transactionID) < ($1.name, $1.transaction.transactionID) }
        set.subscriptions.sort { $0.facts.line.originalTransactionID < $1.facts.line.originalTransactionID }
        if !balances.isEmpty { set.balances = balances.values.sorted { $0.unit < $1.unit } }
        markEffective()
        explanation?.finish()
    }

    /// Rows of one entitlement stand beside each other by now.
    private mutating func markEffective() {
        var best = 0
        for index in set.entitlements.indices {
            if set.entitlements[index].name != set.entitlements[best].name {
                set.entitlements[best].isEffective = true
                best = index
            } else if set.entitlements[index].isBetter(than: set.entitlements[best]) {
                best = index
            }
        }
        if !set.entitlements.isEmpty { set.entitlements[best].isEffective = true }
    }
}

extension Entitlement {
    /// Lowest level first, then the latest end; a row without an end lasts longest.
    fileprivate func isBetter(than other: Entitlement) -> Bool {
        let (mine, theirs) = (level ?? .max, other.level ?? .max)
        if mine != theirs { return mine < theirs }
        return (accessUntil?.milliseconds ?? .max) > (other.accessUntil?.milliseconds ?? .max)
    }
}

extension TransactionFact {
    /// The share of a consumable's units that a revocation takes back, nil where nothing is taken automatically
    /// (PROTOCOL.md section 8.5, 9-1 and 9-7).
    package var unitShareToTakeBack: Percentage? {
        guard revocationDate != nil, revocationReason?.isUnknown != true else { return nil }
        switch revocationType {
        case .known(.familyRevoke), .known(.assignmentRevoke): return nil
        case .known(.refundFull): return bookableShare(otherwise: .whole)
        case .known(.refundProrated), .unknown: return bookableShare(otherwise: nil)
        // Before December 2025 a revocation had no type: a purchase was refunded, a shared copy was not.
        case nil: return ownershipType?.known == .purchased ? bookableShare(otherwise: .whole) : nil
        }
    }

    private func bookableShare(otherwise absent: Percentage?) -> Percentage? {
        guard let share = revocationPercentage else { return absent }
        return share.isBookable ? share : nil
    }
}

extension Open {
    fileprivate var isUnknown: Bool { known == nil }
}

extension Int64 {
    /// The sum, or the end of the range that it would pass.
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
