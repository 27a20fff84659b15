import LedgerCore

/// A question about one customer, as it stands in a query (API.md, "Asking").
struct ReadQuery: Sendable {
    var key: CustomerKey
    var scope: ReadScope

    /// - Throws: the ``Problem`` that names the parameter.
    init(_ parameters: QueryParameters, served: Set<StoreEnvironment>) throws(Problem) {
        key = try parameters.customerKey()
        scope = try ReadScope(parameters, served: served)
    }
}
