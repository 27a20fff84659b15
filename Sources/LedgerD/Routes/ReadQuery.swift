import HTTPServer
import LedgerCore

/// The parameters that every read about a customer takes (API.md, "Conventions").
struct ReadQuery {
    var key: CustomerKey
    var environment: StoreEnvironment
    /// nil: now.
    var at: Instant?
    /// nil: everything recorded.
    var knownAt: KnownAt?
    var minPosition: Position
    var wait: Duration

    /// How long a read waits for its position, unless it says otherwise, in milliseconds.
    static let waitDefault: Int64 = 2000
    /// The longest wait, in milliseconds.
    static let waitMax: Int64 = 20_000

    /// - Throws: the ``Problem`` that names the parameter.
    init(_ parameters: QueryParameters, served: Set<StoreEnvironment>) throws(Problem) {
        key = try parameters.customerKey()
        environment = try parameters.environment(served: served)
        at = try parameters.instant("at")
        knownAt = try parameters.knownAt("knownAt")
        minPosition = try parameters.position("minPosition")
        wait = .milliseconds(try parameters.integer("waitMs", default: Self.waitDefault, in: 0...Self.waitMax))
    }
}
