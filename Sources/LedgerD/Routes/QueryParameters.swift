import HTTPServer
import LedgerCore

/// The parameters of a request's query, taken apart once; each accessor names the parameter that it refuses.
///
/// The first value of a repeated name counts. Parameters that a route does not know are ignored.
struct QueryParameters {
    private let items: [(name: String, value: String)]

    init(_ request: Request) { items = request.queryItems }

    /// Parameters that came otherwise than in a query.
    init(items: [(name: String, value: String)]) { self.items = items }

    /// The value as it was sent, decoded; nil when the name is not there.
    func text(_ name: String) -> String? { items.first { $0.name == name }?.value }

    /// A whole number within a range; the standard value when the name is not there.
    func integer(
        _ name: String,
        default standard: Int64,
        in range: ClosedRange<Int64>
    ) throws(Problem) -> Int64 {
        guard let text = text(name) else { return standard }
        guard let number = Int64(text), range.contains(number) else {
            throw .malformed(
                "The parameter \"\(name)\" must be a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    /// A position of the log; ``Position/start`` when the name is not there.
    func position(_ name: String) throws(Problem) -> Position {
        Position(try integer(name, default: 0, in: 0...Int64.max))
    }

    /// A time (API.md, "Time in a query"); nil when the name is not there.
    func instant(_ name: String) throws(Problem) -> Instant? {
        guard let text = text(name) else { return nil }
        return try Self.instant(text, name)
    }

    private static func instant(_ text: String, _ name: String) throws(Problem) -> Instant {
        guard let instant = Instant(query: text) else {
            throw .malformed("The parameter \"\(name)\" must be an RFC 3339 time or integer milliseconds since 1970.")
        }
        return instant
    }

    /// What the ledger had recorded by then; nil when the name is not there.
    func knownAt(_ name: String) throws(Problem) -> KnownAt? {
        guard let text = text(name) else { return nil }
        if let knownAt = KnownAt(query: text) { return knownAt }
        return .time(try Self.instant(text, name))
    }

    /// One of the environments that are served; Production when the name is not there.
    func environment(served: Set<StoreEnvironment>) throws(Problem) -> StoreEnvironment {
        try StoreEnvironment(parameter: text("environment"), served: served)
    }

    /// The one customer's key that every question needs (API.md, "Asking").
    func customerKey() throws(Problem) -> CustomerKey {
        guard let key = try customerKeyIfAny() else { throw Self.exactlyOneKey }
        return key
    }

    /// The one customer's key of a question that can be about everybody; nil then.
    func customerKeyIfAny() throws(Problem) -> CustomerKey? {
        var key: CustomerKey?
        for (name, value) in items {
            guard let found = CustomerKey(name: name, value: value) else { continue }
            guard !value.isEmpty else { throw .malformed("The parameter \"\(name)\" is empty.") }
            guard key == nil else { throw Self.exactlyOneKey }
            key = found
        }
        return key
    }

    private static var exactlyOneKey: Problem {
        let names = CustomerKey.names.map { "\($0)" }.joined(separator: ", ")
        return .malformed("Exactly one key is needed: \(names).")
    }
}

extension KnownAt {
    /// Reads a position or a time: a whole number below 10¹², which as milliseconds would be before 2001, is a position;
    /// anything else is a time.
    init?(query text: String) {
        if let number = Int64(text), (0..<1_000_000_000_000).contains(number) {
            self = .position(Position(number))
        } else if let instant = Instant(query: text) {
            self = .time(instant)
        } else {
            return nil
        }
    }
}

extension StoreEnvironment {
    /// The environment that a request names; Production when it names none.
    init(parameter text: String?, served: Set<StoreEnvironment>) throws(Problem) {
        let text = text ?? StoreEnvironment.production.rawValue
        guard let environment = StoreEnvironment(rawValue: text), served.contains(environment) else {
            throw Problem(
                status: 400,
                code: "environmentNotServed",
                title: "The environment is not served",
                detail: "No app is configured for this environment; the parameter is Production or Sandbox."
            )
        }
        self = environment
    }
}

extension Problem: Error {}
