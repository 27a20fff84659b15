/// Why an answer is as it is: for each product the rules that were applied, in order, and what became of each fact.
///
/// The evaluator records it while it answers, and only where somebody asked why.
package struct Explanation: Sendable, Hashable {
    /// By product and line, once it is finished.
    package private(set) var products: [ProductExplanation] = []

    package init() {}

    /// Adds a rule about a product of one line, or about a product in all lines together.
    mutating func add(_ rule: AppliedRule, to product: ProductID?, line: OriginalTransactionID? = nil) {
        products[place(of: product, line)].rules.append(rule)
    }

    mutating func use(_ fact: FactReference, for product: ProductID?, line: OriginalTransactionID? = nil) {
        products[place(of: product, line)].used.append(fact)
    }

    mutating func setAside(
        _ fact: FactReference,
        _ reason: FactSetAside.Reason,
        for product: ProductID?,
        line: OriginalTransactionID? = nil
    ) {
        products[place(of: product, line)].setAside.append(FactSetAside(fact: fact, reason: reason))
    }

    /// Puts the products in order, and says what a product without any rule lacks.
    mutating func finish() {
        for index in products.indices where products[index].rules.isEmpty {
            if let rule = products[index].ruleOfNoPurchase { products[index].rules.append(rule) }
        }
        products.sort {
            ($0.productID?.rawValue ?? "", $0.originalTransactionID?.rawValue ?? "")
                < ($1.productID?.rawValue ?? "", $1.originalTransactionID?.rawValue ?? "")
        }
    }

    private mutating func place(of product: ProductID?, _ line: OriginalTransactionID?) -> Int {
        if let known = products.firstIndex(where: { $0.productID == product && $0.originalTransactionID == line }) {
            return known
        }
        products.append(ProductExplanation(productID: product, originalTransactionID: line))
        return products.count - 1
    }
}

/// Why one product is in an answer, or is not.
package struct ProductExplanation: Sendable, Hashable {
    package var productID: ProductID?
    /// The line; nil where all lines of the customer count together.
    package var originalTransactionID: OriginalTransactionID?
    package var rules: [AppliedRule] = []
    package var used: [FactReference] = []
    package var setAside: [FactSetAside] = []

    /// What is true of a product whose purchases were all set aside before a rule was applied; nil where none was read.
    fileprivate var ruleOfNoPurchase: AppliedRule? {
        let hindrances = setAside.compactMap { aside -> TransactionFact.Hindrance? in
            if case .notLive(let hindrance) = aside.reason { hindrance } else { nil }
        }
        if hindrances.isEmpty { return nil }
        let areAllLater = hindrances.allSatisfy { if case .notBegun = $0 { true } else { false } }
        return areAllLater ? .notBegun : .noPurchaseInForce
    }
}

/// One fact that the evaluator looked at, and the event that recorded it.
package struct FactReference: Sendable, Hashable {
    /// What kind of fact it is.
    package enum Kind: Sendable, Hashable {
        /// A transaction in its winning rendering, of so many that are recorded.
        case transaction(TransactionID, versions: Int)
        case renewalInfo
        /// `data.status` of the notification signed last.
        case appleStatus(Int64)
    }

    package var kind: Kind
    package var signedAt: Instant
    /// nil for a status, which is kept without its event.
    package var position: Position?

    init(_ transaction: TransactionFact) {
        kind = .transaction(transaction.transactionID, versions: transaction.versions)
        signedAt = transaction.rendering.signedAt
        position = transaction.rendering.position
    }

    init(_ renewal: RenewalFact) {
        kind = .renewalInfo
        signedAt = renewal.rendering.signedAt
        position = renewal.rendering.position
    }

    init(appleStatus: Register<Instant, Int64>) {
        kind = .appleStatus(appleStatus.value)
        signedAt = appleStatus.rank
    }
}

/// A fact that did not decide, and why.
package struct FactSetAside: Sendable, Hashable {
    /// Why a fact did not decide.
    package enum Reason: Sendable, Hashable {
        /// It does not grant access by itself.
        case notLive(TransactionFact.Hindrance)
        /// Another purchase counts instead.
        case olderThan(TransactionID)
        /// The renewal info was signed before the purchase, so it speaks of an earlier period.
        case signedBeforePurchase(TransactionID)
        /// Nothing of the line is in force, so nothing can be renewed.
        case nothingToRenew
        /// Apple's status says something else; transactions and renewal infos decide.
        case disagrees
        /// The type of product is not known, so it grants nothing.
        case typeUnknown
        /// The document names no product.
        case productMissing
    }

    package var fact: FactReference
    package var reason: Reason
}
