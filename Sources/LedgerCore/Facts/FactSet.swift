/// Facts folded from events: the one fold of the ledger.
///
/// The live tables take a batch of events through it and merge the result into what they hold; a question about the
/// past takes a customer's events through it alone.
///
/// Every member is a register, so the fold throws away order and multiplicity: any order of the same events, in any
/// batches, gives the same facts.
package struct FactSet: Sendable {
    package private(set) var transactions: [FactKey<TransactionID>: TransactionFact] = [:]
    package private(set) var renewals: [FactKey<OriginalTransactionID>: RenewalFact] = [:]
    package private(set) var lines: [FactKey<OriginalTransactionID>: LineFact] = [:]
    package private(set) var appTransactions: [FactKey<AppTransactionID>: AppTransactionFact] = [:]
    package private(set) var consents: [FactKey<AppTransactionID>: RescindedConsent] = [:]
    /// Reports of used units.
    package private(set) var usages: [FactKey<IdempotencyKey>: UsageFact] = [:]
    /// Every key of a customer that was seen on a line.
    package private(set) var lineKeys: Set<LineKey> = []
    /// The transactions that are marked as those that reports of used units name, whether or not they are known here.
    package private(set) var usedTransactions: Set<FactKey<TransactionID>> = []

    /// One fact with the environment it is valid in.
    package enum Member: Sendable {
        case transaction(TransactionFact, StoreEnvironment)
        case renewal(RenewalFact, StoreEnvironment)
        case line(LineFact, StoreEnvironment)
        case appTransaction(AppTransactionFact, StoreEnvironment)
        case consent(RescindedConsent, StoreEnvironment)
        case usage(UsageFact, StoreEnvironment)
    }

    package init() {}

    /// Takes one event in.
    ///
    /// An event without facts of this kind (a test notification, a catalog) changes nothing; so does a document whose
    /// payload cannot be read, which the log keeps all the same.
    /// - Returns: the rendering of a transaction that the event records, for the registers; nil for other events.
    @discardableResult
    package mutating func fold(_ event: LedgerEvent) -> RegisterRendering? {
        guard let environment = event.environment else { return nil }
        switch event.kind {
        case .transaction: return foldTransaction(event, environment)
        case .renewalInfo: foldRenewalInfo(event, environment)
        case .appTransaction: foldAppTransaction(event, environment)
        case .notification, .conflict: foldNotification(event, environment)
        case .usage: if let fact = UsageFact(event) { merge(.usage(fact, environment)) }
        case .catalog, .accountToken, .consent, .consumptionAnswer: break
        }
        return nil
    }

    private mutating func foldTransaction(
        _ event: LedgerEvent,
        _ environment: StoreEnvironment
    ) -> RegisterRendering? {
        guard let rendering = RegisterRendering(event) else { return nil }
        let fact = rendering.fact
        merge(.transaction(fact, environment))
        let signedAt = fact.rendering.signedAt
        var line = LineFact(fact.originalTransactionID)
        line.appTransactionID = fact.appTransactionID.map { Register(rank: signedAt, value: $0) }
        line.purchaseToken = fact.appAccountToken.map {
            Register(
                rank: LineFact.PurchaseRank(purchaseDate: fact.effectivePurchaseDate, signedAt: signedAt),
                value: $0
            )
        }
        merge(.line(line, environment))
        noteKeys(of: fact.originalTransactionID, fact.appTransactionID, fact.appAccountToken, environment)
        return rendering
    }

    private mutating func foldRenewalInfo(_ event: LedgerEvent, _ environment: StoreEnvironment) {
        guard let document = try? RenewalInfoDocument(payload: event.payload),
            let fact = RenewalFact(document, digest: event.digest, position: event.position)
        else { return }
        merge(.renewal(fact, environment))
        let signedAt = fact.rendering.signedAt
        var line = LineFact(fact.originalTransactionID)
        line.appTransactionID = document.appTransactionID.map { Register(rank: signedAt, value: $0) }
        line.renewalToken = document.appAccountToken.map { Register(rank: signedAt, value: $0) }
        merge(.line(line, environment))
        noteKeys(of: fact.originalTransactionID, document.appTransactionID, document.appAccountToken, environment)
    }

    private mutating func noteKeys(
        of line: OriginalTransactionID,
        _ customer: AppTransactionID?,
        _ token: AppAccountToken?,
        _ environment: StoreEnvironment
    ) {
        func key(_ kind: LineKey.Kind, _ value: String) -> LineKey {
            LineKey(environment: environment, kind: kind, value: value, line: line)
        }
        if let customer { lineKeys.insert(key(.appTransactionID, customer.rawValue)) }
        if let token { lineKeys.insert(key(.appAccountToken, token.rawValue)) }
    }

    private mutating func foldAppTransaction(_ event: LedgerEvent, _ environment: StoreEnvironment) {
        guard let document = try? AppTransactionDocument(payload: event.payload),
            let fact = AppTransactionFact(document, digest: event.digest, position: event.position)
        else { return }
        merge(.appTransaction(fact, environment))
    }

    /// A notification itself carries two facts: Apple's view of a line's status at its signing, and a withdrawn
    /// consent.
    ///
    /// Its type sets no other state (DESIGN invariant 7).
    private mutating func foldNotification(_ event: LedgerEvent, _ environment: StoreEnvironment) {
        guard let signedAt = event.signedAt else { return }
        if let customer = event.appTransactionID,
            NotificationType(rawValue: event.notificationType ?? "") == .rescindConsent
        {
            merge(.consent(RescindedConsent(appTransactionID: customer, rescindedAt: signedAt), environment))
        }
        guard let lineID = event.originalTransactionID,
            let status = NotificationDocument.status(inPayload: event.payload)
        else { return }
        var line = LineFact(lineID)
        line.appleStatus = Register(rank: signedAt, value: status.rawValue)
        merge(.line(line, environment))
    }

    /// Takes a fact in that was folded elsewhere: in an earlier batch, for example.
    package mutating func merge(_ member: Member) {
        switch member {
        case .transaction(let fact, let environment):
            let key = FactKey(environment, fact.transactionID)
            transactions.merge(fact, at: key)
            if usedTransactions.contains(key) { transactions[key]?.hasUsage = true }
        case .renewal(let fact, let environment):
            renewals.merge(fact, at: FactKey(environment, fact.originalTransactionID))
        case .line(let line, let environment):
            let key = FactKey(environment, line.originalTransactionID)
            if lines[key]?.merge(line) == nil { lines[key] = line }
        case .appTransaction(let fact, let environment):
            appTransactions.merge(fact, at: FactKey(environment, fact.appTransactionID))
        case .consent(let consent, let environment):
            let key = FactKey(environment, consent.appTransactionID)
            if consents[key]?.merge(consent) == nil { consents[key] = consent }
        case .usage(let fact, let environment):
            let key = FactKey(environment, fact.usage.idempotencyKey)
            if usages[key]?.merge(fact) == nil { usages[key] = fact }
        }
    }

    /// Marks a transaction as one that reports of used units name; when it is not known here, as soon as it is.
    package mutating func markUsed(_ id: TransactionID, in environment: StoreEnvironment) {
        let key = FactKey(environment, id)
        usedTransactions.insert(key)
        transactions[key]?.hasUsage = true
    }
}

extension Dictionary where Value: RenderedFact {
    fileprivate mutating func merge(_ fact: Value, at key: Key) {
        if self[key]?.merge(fact) == nil { self[key] = fact }
    }
}
