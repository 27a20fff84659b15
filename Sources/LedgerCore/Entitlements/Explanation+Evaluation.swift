// What the evaluator records, one function for each place where it decides. None of them decides anything itself.

extension Explanation {
    /// The entry of a transaction's product: of its line, or of all lines together where lines do not count.
    mutating func setAside(_ fact: FactReference, _ reason: FactSetAside.Reason, of transaction: TransactionFact) {
        setAside(fact, reason, for: transaction.productID, line: transaction.explainedLine)
    }

    /// A transaction that does not grant access by itself.
    mutating func setAsideUnlessLive(_ transaction: TransactionFact, at instant: Instant) {
        guard let hindrance = transaction.hindrance(at: instant) else { return }
        setAside(FactReference(transaction), .notLive(hindrance), of: transaction)
    }

    /// A subscription whose first purchase has not happened.
    mutating func addLineBeforeItsBegin(_ facts: LineFacts, at instant: Instant) {
        guard let first = facts.transactions.first else { return }
        add(.notBegun, to: first.productID, line: first.explainedLine)
        for transaction in facts.transactions { setAsideUnlessLive(transaction, at: instant) }
    }

    /// The state of a subscription line, and what became of its transactions and its renewal info.
    mutating func add(_ state: SubscriptionState, of evaluator: SubscriptionEvaluator) {
        let (facts, instant) = (evaluator.facts, evaluator.instant)
        let deciding = state.purchase.fact
        let (product, line) = (deciding.productID, deciding.explainedLine)
        let current = evaluator.currentPurchase()?.fact
        if let current {
            add(.newestPurchase(current.transactionID, bought: current.effectivePurchaseDate), to: product, line: line)
        } else {
            add(.noPurchaseInForce, to: product, line: line)
        }
        for rule in state.rules(evaluator, current) { add(rule, to: product, line: line) }
        for transaction in facts.transactions {
            let fact = FactReference(transaction)
            if transaction.transactionID == current?.transactionID
                || transaction.transactionID == deciding.transactionID
            {
                use(fact, for: product, line: line)
            } else if let hindrance = transaction.hindrance(at: instant) {
                setAside(fact, .notLive(hindrance), for: product, line: line)
            } else if let current {
                setAside(fact, .olderThan(current.transactionID), for: product, line: line)
            }
        }
        guard let renewal = facts.renewal else { return }
        let fact = FactReference(renewal)
        if let current, evaluator.renewal(concerning: current) != nil {
            use(fact, for: product, line: line)
        } else if let current {
            setAside(fact, .signedBeforePurchase(current.transactionID), for: product, line: line)
        } else {
            setAside(fact, .nothingToRenew, for: product, line: line)
        }
    }

    /// Apple's last signed status of a line.
    mutating func add(_ apple: Register<Instant, Int64>, agrees: Bool, to state: SubscriptionState) {
        let (product, line) = (state.purchase.fact.productID, state.purchase.fact.explainedLine)
        add(.appleStatus(apple.value, agrees: agrees), to: product, line: line)
        let fact = FactReference(appleStatus: apple)
        // A grace period without a date follows from the status itself.
        if agrees || state.graceEndIsAssumed {
            use(fact, for: product, line: line)
        } else {
            setAside(fact, .disagrees, for: product, line: line)
        }
    }

    /// A non-consumable that lasts, among the purchases of its product in its line.
    mutating func addNonConsumable(
        _ transaction: TransactionFact,
        among all: [TransactionFact],
        at instant: Instant
    ) {
        let (product, line) = (transaction.productID, transaction.explainedLine)
        add(.boughtForGood(transaction.transactionID), to: product, line: line)
        use(FactReference(transaction), for: product, line: line)
        for other in all where other.transactionID != transaction.transactionID && other.isLive(at: instant) {
            setAside(FactReference(other), .olderThan(transaction.transactionID), of: other)
        }
    }

    /// The purchase of a non-renewing subscription that counts.
    mutating func addNonRenewing(_ transaction: TransactionFact, until end: Instant?, at instant: Instant) {
        let isOver = end.map { $0 <= instant } ?? false
        add(.nonRenewing(transaction.transactionID, until: end, isOver: isOver), to: transaction.productID)
        use(FactReference(transaction), for: transaction.productID)
    }

    /// Units that a consumable adds.
    mutating func addGrant(of transaction: TransactionFact, units: Int64, _ unit: String) {
        add(.unitsGranted(transaction.transactionID, units: units, unit: unit), to: transaction.productID)
        use(FactReference(transaction), for: transaction.productID)
    }

    /// Units of a consumable that were used, and how many of them a refund would have taken back.
    mutating func addUse(of transaction: TransactionFact, units: Int64, owed: Int64, _ unit: String) {
        add(.unitsUsed(transaction.transactionID, units: units, unit: unit), to: transaction.productID)
        guard owed > 0 else { return }
        add(.unitsOwed(transaction.transactionID, units: owed, unit: unit), to: transaction.productID)
    }

    /// What the catalog calls the product.
    mutating func addName(_ name: String, level: Int64?, to transaction: TransactionFact) {
        add(.named(name, level: level), to: transaction.productID, line: transaction.explainedLine)
    }
}

extension TransactionFact {
    /// The line that its explanation belongs to; nil for products that are counted over all lines.
    fileprivate var explainedLine: OriginalTransactionID? {
        switch type?.known {
        case .consumable, .nonRenewingSubscription: nil
        case .autoRenewableSubscription, .nonConsumable, nil: originalTransactionID
        }
    }
}

extension SubscriptionState {
    /// The steps that led to the state after the current purchase was chosen.
    fileprivate func rules(_ evaluator: SubscriptionEvaluator, _ current: TransactionFact?) -> [AppliedRule] {
        var rules: [AppliedRule] = []
        if let current, let signed = current.expiresDate, let end = evaluator.periodEnd(of: current), end != signed {
            rules.append(.extended(from: signed, to: end))
        }
        switch status {
        case .active: rules.append(accessUntil.map { .withinPeriod(until: $0) } ?? .withoutEnd)
        case .billingGracePeriod:
            rules.append(accessUntil.map { .withinGrace(until: $0, isAssumed: graceEndIsAssumed) } ?? .withoutEnd)
        case .billingRetry: rules.append(.billingRetry)
        case .revoked: rules.append(.revoked(purchase.fact.transactionID, since: purchase.fact.revocationDate))
        case .expired:
            let isEndless = current != nil && periodEnd == nil
            rules.append(isEndless ? .withoutEnd : .expired(at: current == nil ? nil : periodEnd))
        }
        return rules
    }
}
