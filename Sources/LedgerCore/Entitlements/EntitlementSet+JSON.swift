/// What an answer says about itself, besides the set.
package struct AnswerContext: Sendable, Hashable {
    package var environment: StoreEnvironment
    package var key: CustomerKey
    package var at: Instant
    /// The `knownAt` of the question as it was understood; nil: everything known.
    package var knownAt: KnownAt?
    package var position: Position

    package init(
        environment: StoreEnvironment,
        key: CustomerKey,
        at: Instant,
        knownAt: KnownAt? = nil,
        position: Position
    ) {
        self.environment = environment
        self.key = key
        self.at = at
        self.knownAt = knownAt
        self.position = position
    }
}

/// What the ledger had recorded by then: a time or a position (API.md, "Two clocks").
package enum KnownAt: Sendable, Hashable {
    case time(Instant)
    case position(Position)
}

/// The one key of a question: all lines that belong to it are asked for (API.md, "Asking").
package enum CustomerKey: Sendable, Hashable {
    case appTransactionID(AppTransactionID)
    case originalTransactionID(OriginalTransactionID)
    case appAccountToken(AppAccountToken)
    case transactionID(TransactionID)

    /// The names of the keys in queries and answers.
    package static let names: [StaticString] = [
        "appTransactionId", "originalTransactionId", "appAccountToken", "transactionId",
    ]

    /// The key with this name in a query; nil for a name that is no key.
    package init?(name: String, value: String) {
        switch name {
        case "appTransactionId": self = .appTransactionID(AppTransactionID(rawValue: value))
        case "originalTransactionId": self = .originalTransactionID(OriginalTransactionID(rawValue: value))
        case "appAccountToken": self = .appAccountToken(AppAccountToken(rawValue: value))
        case "transactionId": self = .transactionID(TransactionID(rawValue: value))
        default: return nil
        }
    }

    package var name: StaticString {
        switch self {
        case .appTransactionID: "appTransactionId"
        case .originalTransactionID: "originalTransactionId"
        case .appAccountToken: "appAccountToken"
        case .transactionID: "transactionId"
        }
    }

    package var value: String {
        switch self {
        case .appTransactionID(let id): id.rawValue
        case .originalTransactionID(let id): id.rawValue
        case .appAccountToken(let token): token.rawValue
        case .transactionID(let id): id.rawValue
        }
    }

    /// Writes the key as an object with one member.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member(name, value)
        json.endObject()
    }
}

extension AnswerContext {
    /// Writes what the answer says about itself into an open object: what was asked, and where the answer stands.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("environment", environment.rawValue)
        json.name("key")
        key.write(to: &json)
        json.member("at", at)
        json.name("knownAt")
        switch knownAt {
        case nil: json.null()
        case .time(let instant): json.instant(instant)
        case .position(let position): json.integer(position.rawValue)
        }
        json.member("position", position)
    }
}

extension EntitlementSet {
    /// Writes the answer's JSON (API.md, "Entitlement set").
    package func write(to json: inout JSONWriter, _ context: AnswerContext) {
        json.beginObject()
        context.writeMembers(to: &json)
        writeMembers(to: &json)
        json.endObject()
    }

    /// Writes what the customer may use into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.name("entitlements")
        json.beginArray()
        for entitlement in entitlements { entitlement.write(to: &json) }
        json.endArray()
        json.name("subscriptions")
        json.beginArray()
        for subscription in subscriptions { subscription.write(to: &json) }
        json.endArray()
        json.name("balances")
        json.beginArray()
        for balance in balances { balance.write(to: &json) }
        json.endArray()
        json.member("consentRescinded", consentRescinded)
        json.member("nextChangeAt", nextChangeAt)
    }
}

extension Entitlement {
    fileprivate func write(to json: inout JSONWriter) {
        let facts = purchase.facts
        json.beginObject()
        json.member("entitlement", name)
        purchase.fact.writeProduct(to: &json)
        json.name("state")
        json.literal(status.stateName)
        purchase.fact.writeIdentity(to: &json)
        json.member("appTransactionId", facts.line.appTransactionID?.value)
        json.member("appAccountToken", facts.line.appAccountToken)
        purchase.fact.writePurchase(to: &json)
        json.member("accessUntil", accessUntil)
        json.member("level", level)
        json.member("effective", isEffective)
        json.endObject()
    }
}

// Facts are big: each group of members is written by the fact in its place, without a copy of it.
extension TransactionFact {
    fileprivate func writeProduct(to json: inout JSONWriter) {
        json.member("productId", productID)
        json.member("type", type?.rawValue)
    }

    fileprivate func writeIdentity(to json: inout JSONWriter) {
        json.member("transactionId", transactionID)
        json.member("originalTransactionId", originalTransactionID)
    }

    fileprivate func writePurchase(to json: inout JSONWriter) {
        json.member("bundleId", bundleID)
        json.member("inAppOwnershipType", ownershipType?.rawValue)
        json.member("purchaseDate", purchaseDate)
    }

    fileprivate func writeSubscribed(to json: inout JSONWriter) {
        json.member("subscriptionGroupIdentifier", subscriptionGroupID)
        json.member("productId", productID)
        json.member("transactionId", transactionID)
    }
}

extension RenewalFact? {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("gracePeriodExpiresDate", self?.gracePeriodExpiresDate)
        json.member("expirationIntent", self?.expirationIntent?.rawValue)
        json.member("autoRenewStatus", self?.autoRenewStatus?.rawValue)
        json.member("autoRenewProductId", self?.autoRenewProductID)
        json.member("priceIncreaseStatus", self?.priceIncreaseStatus?.rawValue)
        json.member("isInBillingRetryPeriod", self?.isInBillingRetryPeriod ?? false)
    }
}

extension Subscription {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("originalTransactionId", facts.line.originalTransactionID)
        state.purchase.fact.writeSubscribed(to: &json)
        json.member("status", state.status.rawValue)
        json.name("state")
        json.literal(state.status.stateName)
        json.member("expiresDate", state.periodEnd)
        facts.renewal.write(to: &json)
        json.member("inAppOwnershipType", state.purchase.fact.ownershipType?.rawValue)
        json.name("revocation")
        newestPurchase.fact.writeRevocation(to: &json, at: instant)
        json.name("appleStatus")
        if let apple = facts.line.appleStatus {
            json.beginObject()
            json.member("status", apple.value)
            json.member("signedDate", apple.rank)
            json.member("agrees", agreesWithApple)
            json.endObject()
        } else {
            json.null()
        }
        json.endObject()
    }
}

extension TransactionFact {
    /// Writes the revocation in force at an instant, unknown values as they came, or null (API.md, "Asking").
    package func writeRevocation(to json: inout JSONWriter, at instant: Instant) {
        guard isRevoked(at: instant) else { return json.null() }
        json.beginObject()
        json.member("revocationType", revocationType?.rawValue)
        json.member("revocationReason", revocationReason?.rawValue)
        json.member("revocationDate", revocationDate)
        json.member("revocationPercentage", revocationPercentage?.rawValue)
        json.endObject()
    }
}

extension Balance {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("unit", unit)
        json.member("granted", granted)
        json.member("clawedBack", clawedBack)
        json.member("used", used)
        json.member("net", net)
        json.member("owed", owed)
        json.endObject()
    }
}
