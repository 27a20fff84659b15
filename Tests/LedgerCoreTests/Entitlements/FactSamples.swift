import LedgerCore
import TestSupport

extension Instant {
    /// Days after an arbitrary midnight; the tests count in days and milliseconds from it.
    static func day(_ number: Double) -> Instant { Instant(milliseconds: 1_767_225_600_000).days(number) }
    func days(_ number: Double) -> Instant { adding(milliseconds: Int64(number * 86_400_000)) }
    /// One millisecond earlier.
    var justBefore: Instant { adding(milliseconds: -1) }
}

extension Rendering {
    static func sample(_ id: String, signed: Instant, isRevoked: Bool = false) -> Rendering {
        Rendering(
            signedAt: signed,
            isRevoked: isRevoked,
            digest: DocumentDigest(testPayload: Array(id.utf8)),
            position: Position(1)
        )
    }
}

extension TransactionFact {
    /// A purchase from a day to a day, signed two seconds later.
    static func sample(
        _ id: String,
        line: String = "1",
        type: ProductType = .autoRenewableSubscription,
        product: String = "pro.monthly",
        from start: Double,
        to end: Double? = nil,
        signed: Instant? = nil,
        _ change: (inout TransactionFact) -> Void = { _ in }
    ) -> TransactionFact {
        var fact = TransactionFact(
            rendering: .sample(id, signed: signed ?? .day(start).adding(milliseconds: 2000)),
            transactionID: TransactionID(rawValue: id),
            originalTransactionID: OriginalTransactionID(rawValue: line),
            versions: 1
        )
        fact.type = .known(type)
        fact.productID = ProductID(rawValue: product)
        fact.ownershipType = .known(.purchased)
        fact.reason = .known(.purchase)
        fact.purchaseDate = .day(start)
        fact.expiresDate = end.map { .day($0) }
        change(&fact)
        return fact
    }

    /// The same with a revocation from an instant on.
    func revoked(
        at instant: Instant,
        _ type: RevocationType? = .refundFull,
        percentage: Int64? = nil
    ) -> TransactionFact {
        var fact = self
        fact.revocationDate = instant
        fact.revocationReason = .known(.other)
        fact.revocationType = type.map { .known($0) }
        fact.revocationPercentage = percentage.map { Percentage($0) }
        fact.rendering.isRevoked = true
        return fact
    }
}

extension RenewalFact {
    static func sample(
        line: String = "1",
        signed: Instant,
        product: String = "pro.monthly",
        _ change: (inout RenewalFact) -> Void = { _ in }
    ) -> RenewalFact {
        var fact = RenewalFact(
            rendering: .sample("renewal", signed: signed),
            originalTransactionID: OriginalTransactionID(rawValue: line)
        )
        fact.productID = ProductID(rawValue: product)
        fact.autoRenewStatus = .known(.on)
        change(&fact)
        return fact
    }

    /// The charge failed; with a grace period or without.
    static func failedCharge(signed: Instant, graceUntil: Instant? = nil) -> RenewalFact {
        sample(signed: signed) { fact in
            fact.isInBillingRetryPeriod = true
            fact.expirationIntent = .known(.billingError)
            fact.gracePeriodExpiresDate = graceUntil
        }
    }
}

extension LineFacts {
    /// The facts of a line, with the status that Apple last signed.
    convenience init(
        _ transactions: [TransactionFact],
        renewal: RenewalFact? = nil,
        appleStatus: (status: Int64, signed: Instant)? = nil
    ) {
        var line = LineFact(transactions.first?.originalTransactionID ?? OriginalTransactionID(rawValue: "1"))
        line.appleStatus = appleStatus.map { Register(rank: $0.signed, value: $0.status) }
        self.init(line: line, transactions: transactions, renewal: renewal)
    }

    /// Apple's number of the line's state at an instant.
    func status(at instant: Instant) -> Int64? { SubscriptionEvaluator(self, at: instant).state()?.status.rawValue }
}

extension EntitlementSet {
    /// What these lines mean.
    static func of(_ lines: LineFacts..., catalog: Catalog = .empty, at instant: Instant) -> EntitlementSet {
        EntitlementEvaluator.evaluate(CustomerFacts(lines: lines), catalog: catalog, at: instant)
    }

    var products: [String] { entitlements.map { $0.transaction.productID?.rawValue ?? "" } }
}
