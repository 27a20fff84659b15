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

    /// How long a read waits for its position, unless it says otherwise.
    static let waitDefault: Int64 = 2000
    /// The longest wait, in milliseconds.
    static let waitMax: Int64 = 20_000

    /// - Throws: the ``Problem`` that names the parameter.
    init(_ request: Request, served: Set<StoreEnvironment>) throws(Problem) {
        key = try Self.key(of: request)
        environment = try Self.environment(request.query("environment"), served: served)
        at = try request.query("at").map { text throws(Problem) in try Self.instant(text, parameter: "at") }
        knownAt = try request.query("knownAt").map { text throws(Problem) in try Self.knownAt(text) }
        minPosition = Position(
            try Self.integer(request.query("minPosition"), parameter: "minPosition", default: 0, in: 0...Int64.max)
        )
        wait = .milliseconds(
            try Self.integer(
                request.query("waitMs"),
                parameter: "waitMs",
                default: Self.waitDefault,
                in: 0...Self.waitMax
            )
        )
    }

    private static func key(of request: Request) throws(Problem) -> CustomerKey {
        var keys: [CustomerKey] = []
        for (name, value) in request.queryItems {
            guard let key = CustomerKey(name: name, value: value) else { continue }
            guard !value.isEmpty else { throw .malformed("The parameter \"\(name)\" is empty.") }
            keys.append(key)
        }
        guard keys.count == 1, let key = keys.first else {
            let names = CustomerKey.names.map { "\($0)" }.joined(separator: ", ")
            throw .malformed("Exactly one key is needed: \(names).")
        }
        return key
    }

    static func environment(_ text: String?, served: Set<StoreEnvironment>) throws(Problem) -> StoreEnvironment {
        let text = text ?? StoreEnvironment.production.rawValue
        guard let environment = StoreEnvironment(rawValue: text), served.contains(environment) else {
            throw Problem(
                status: 400,
                code: "environmentNotServed",
                title: "The environment is not served",
                detail: "No app is configured for this environment; the parameter is Production or Sandbox."
            )
        }
        return environment
    }

    private static func instant(_ text: String, parameter: String) throws(Problem) -> Instant {
        guard let instant = Instant(query: text) else {
            throw .malformed(
                "The parameter \"\(parameter)\" must be an RFC 3339 time or integer milliseconds since 1970."
            )
        }
        return instant
    }

    /// A position is a whole number below 10¹², which as milliseconds would be before 2001; anything else is a time.
    private static func knownAt(_ text: String) throws(Problem) -> KnownAt {
        if let number = Int64(text), (0..<1_000_000_000_000).contains(number) { return .position(Position(number)) }
        return .time(try instant(text, parameter: "knownAt"))
    }

    private static func integer(
        _ text: String?,
        parameter: String,
        default standard: Int64,
        in range: ClosedRange<Int64>
    ) throws(Problem) -> Int64 {
        guard let text else { return standard }
        guard let number = Int64(text), range.contains(number) else {
            throw .malformed(
                "The parameter \"\(parameter)\" must be a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }
}

extension Problem: Error {}
