/// Answers what a customer may use at an instant: a pure function of facts, catalog and instant (PROTOCOL.md sections
/// 8.3 to 8.5).
///
/// The live reads, the questions about the past and the tests all go through it.
package struct EntitlementEvaluator {
    private let catalog: Catalog
    private let instant: Instant
    private var set = EntitlementSet()
    private var balances: [String: Balance] = [:]
    private var nonRenewing: [ProductID: (transaction: TransactionFact, line: LineFact)] = [:]
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
        if facts.transactions.allSatisfy({ $0.type?.known == .autoRenewableSubscription }) {
            return addSubscription(facts)
        }
        var subscription = facts
        subscription.transactions = []
        for transaction in facts.transactions {
            switch transaction.type?.known {
            case .autoRenewableSubscription: subscription.transactions.append(transaction)
            case .nonConsumable: break
            case .consumable: addConsumable(transaction)
            case .nonRenewingSubscription: addNonRenewing(transaction, facts.line)
            case nil: explanation?.setAside(FactReference(transaction), .typeUnknown, of: transaction)
            }
        }
        if !subscription.transactions.isEmpty { addSubscription(subscription) }
        addNonConsumables(facts)
    }

    private mutating func addSubscription(_ facts: LineFacts) {
        let evaluator = SubscriptionEvaluator(facts, at: instant)
        guard let state = evaluator.state(), let newest = evaluator.newestPurchase() else {
            // Nothing has begun: the first purchase is what changes the answer.
            for transaction in facts.transactions { noteChange(at: transaction.beginsAt) }
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
            Subscription(
                line: facts.line,
                state: state,
                newest: newest,
                renewal: facts.renewal,
                agreesWithApple: agrees,
                instant: instant
            )
        )
        guard state.status.grantsAccess else { return }
        grant(state.transaction, facts.line, status: state.status, until: state.accessUntil)
    }

    /// Purchased or shared, a non-consumable grants access while it has no revocation.
    ///
    /// One row a line and product: a restored copy has another transactionId and is the same purchase.
    private mutating func addNonConsumables(_ facts: LineFacts) {
        var newest: [ProductID: TransactionFact] = [:]
        for transaction in facts.transactions where transaction.type?.known == .nonConsumable {
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
            if let other = newest[product], !other.precedes(transaction) { continue }
            newest[product] = transaction
        }
        for (product, transaction) in newest {
            explanation?.addNonConsumable(
                transaction,
                among: facts.transactions.filter { $0.productID == product },
                at: instant
            )
            grant(transaction, facts.line, status: .active, until: nil)
        }
    }

    /// The latest unrevoked purchase of each product counts, over all lines: each purchase is a line of its own.
    private mutating func addNonRenewing(_ transaction: TransactionFact, _ line: LineFact) {
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
        if let other = nonRenewing[product] {
            let isNewer = other.transaction.precedes(transaction)
            let (older, newer) = isNewer ? (other.transaction, transaction) : (transaction, other.transaction)
            explanation?.setAside(FactReference(older), .olderThan(newer.transactionID), of: older)
            if !isNewer { return }
        }
        nonRenewing[product] = (transaction, line)
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
        let entry = catalog.entry(for: product)
        let unit = entry.unit ?? product.rawValue
        let units = Int128(entry.units) * Int128(max(0, transaction.quantity ?? 1))
        var balance = balances[unit] ?? Balance(unit: unit)
        balance.granted = balance.granted.addingClamped(Int64(clamping: units))
        explanation?.addGrant(of: transaction, units: Int64(clamping: units), unit)
        noteChange(at: transaction.revocationDate)
        if transaction.isRevoked(at: instant), let share = transaction.unitShareToTakeBack {
            let taken = entry.rounding.share(of: units, share) ?? Int64(clamping: units)
            balance.clawedBack = balance.clawedBack.addingClamped(taken)
            explanation?.add(.unitsTakenBack(transaction.transactionID, units: taken, unit: unit), to: product)
        }
        balances[unit] = balance
    }

    private mutating func grant(
        _ transaction: TransactionFact,
        _ line: LineFact,
        status: SubscriptionStatus,
        until end: Instant?
    ) {
        guard let product = transaction.productID else { return }
        let entry = catalog.entry(for: product)
        let name = entry.entitlement ?? product.rawValue
        explanation?.addName(name, level: entry.level, to: transaction)
        set.entitlements.append(
            Entitlement(
                name: name,
                transaction: transaction,
                status: status,
                accessUntil: end,
                level: entry.level,
                line: line
            )
        )
    }

    private mutating func noteChange(at change: Instant?) {
        guard let change, change > instant else { return }
        set.nextChangeAt = set.nextChangeAt.map { min($0, change) } ?? change
    }

    private mutating func finish() {
        for (product, purchase) in nonRenewing {
            let end = catalog.entry(for: product).duration?.added(to: purchase.transaction.effectivePurchaseDate)
            explanation?.addNonRenewing(purchase.transaction, until: end, at: instant)
            guard end.map({ instant < $0 }) ?? true else { continue }
            noteChange(at: end)
            grant(purchase.transaction, purchase.line, status: .active, until: end)
        }
        set.entitlements.sort { ($0.name, $0.transaction.transactionID) < ($1.name, $1.transaction.transactionID) }
        set.subscriptions.sort { $0.line.originalTransactionID < $1.line.originalTransactionID }
        set.balances = balances.values.sorted { $0.unit < $1.unit }
        markEffective()
        explanation?.finish()
    }

    private mutating func markEffective() {
        var best: [String: Int] = [:]
        for (index, entitlement) in set.entitlements.enumerated() {
            guard let other = best[entitlement.name] else {
                best[entitlement.name] = index
                continue
            }
            if entitlement.isBetter(than: set.entitlements[other]) { best[entitlement.name] = index }
        }
        for index in best.values { set.entitlements[index].isEffective = true }
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
