import LedgerCore

/// What every read about customers takes besides their keys: the environment, the two clocks, and the position to reach
/// (API.md, "Conventions").
struct ReadScope: Sendable {
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
    /// The names of the parameters.
    static let names: Set = ["environment", "at", "knownAt", "minPosition", "waitMs"]

    /// - Throws: the ``Problem`` that names the parameter.
    init(_ parameters: QueryParameters, served: Set<StoreEnvironment>) throws(Problem) {
        environment = try parameters.environment(served: served)
        at = try parameters.instant("at")
        knownAt = try parameters.knownAt("knownAt")
        minPosition = try parameters.position("minPosition")
        wait = .milliseconds(try parameters.integer("waitMs", default: Self.waitDefault, in: 0...Self.waitMax))
    }

    /// Whether the question names neither clock: it is about now, as known now.
    var isPresent: Bool { at == nil && knownAt == nil }

    /// Whether the answer must be folded from the log: the tables hold what is known now, for now and later.
    func isPast(_ now: Instant) -> Bool { knownAt != nil || at.map { $0 < now } ?? false }
}
