import LedgerCore
import Projections

/// What `POST /v1/replays` is asked: a register as known at two positions (API.md, "Finance").
struct ReplayQuery: Sendable {
    var register: RegisterKind
    /// Whose entries; nil: everybody's.
    var key: CustomerKey?
    /// Which of them, without the lines of the key.
    var selection: RegisterSelection
    /// The earlier knowledge.
    var before: KnownAt
    /// The later one; nil: now.
    var after: KnownAt?

    /// Reads `{"register":"refunds","from","to","basis","period","environment","knownAt":[A,B],…}`; B may be null.
    ///
    /// A key, `currency`, `productId` and `bundleId` narrow it, as in the register's own route.
    /// - Throws: the ``Problem`` that names the member.
    init(_ body: [UInt8], served: Set<StoreEnvironment>) throws(Problem) {
        let members = try BodyMembers(body)
        let name = try members.text("register") ?? RegisterKind.refunds.rawValue
        guard let register = RegisterKind(rawValue: name), [.refunds, .revocations].contains(register) else {
            throw .malformed("\"register\" must be refunds or revocations.")
        }
        self.register = register
        let environment = try StoreEnvironment(parameter: members.text("environment"), served: served)
        selection = RegisterSelection(environment: environment, kinds: register.entryKinds)
        selection.take(
            try RegisterWindow(
                of: register,
                basis: members.text("basis"),
                from: members.instant("from"),
                to: members.instant("to"),
                period: members.text("period")
            )
        )
        selection.currency = try members.text("currency").map(CurrencyCode.init(rawValue:))
        selection.productID = try members.text("productId").map(ProductID.init(rawValue:))
        selection.bundleID = try members.text("bundleId").map(BundleID.init(rawValue:))
        key = try members.key()
        if case .transactionID(let id) = key { selection.transactionID = id }
        guard case .array(let pair)? = members["knownAt"], pair.count == 2, let before = KnownAt(pair[0]) else {
            throw Self.needsTwo
        }
        self.before = before
        if pair[1] != .null {
            guard let after = KnownAt(pair[1]) else { throw Self.needsTwo }
            self.after = after
        }
    }

    private static var needsTwo: Problem {
        .malformed(
            "\"knownAt\" must be a list of two: each a position or a time, and the second one null for what is known now."
        )
    }
}

extension KnownAt {
    fileprivate init?(_ value: JSONValue) {
        guard let text = value.queryText, let knownAt = KnownAt(query: text) else { return nil }
        self = knownAt
    }
}
