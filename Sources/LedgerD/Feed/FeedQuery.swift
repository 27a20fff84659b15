import EventStore
import HTTPServer
import LedgerCore
import Postgres

/// What a reader of the feed asks for (API.md, "Audit").
struct FeedQuery: Sendable {
    /// The form in which events are sent.
    var format: FeedFormat
    /// Events after this position.
    var after: Position
    /// The most events of the answer; nil for a stream, which has no end.
    var limit: Int?
    var filter: FeedFilter

    /// Events of a page that does not say how many.
    static let limitDefault: Int64 = 1000
    /// The most events of a page.
    static let limitMax: Int64 = 10_000
}

extension FeedQuery {
    /// A page: `after` or the `cursor` of the page before it, `limit`, `format` or `Accept`, and filters.
    /// - Throws: the ``Problem`` that names the parameter.
    init(page request: Request) throws(Problem) {
        let parameters = QueryParameters(request)
        let isResumed = parameters.text("cursor") != nil
        if isResumed, parameters.text("after") != nil {
            throw .malformed("Send either \"after\" or \"cursor\", not both.")
        }
        format = try FeedFormat(parameters.text("format"), accepting: request.header("Accept"))
        after = try parameters.position(isResumed ? "cursor" : "after")
        limit = Int(try parameters.integer("limit", default: Self.limitDefault, in: 1...Self.limitMax))
        filter = try FeedFilter(parameters)
    }

    /// A stream: `Last-Event-ID` of the events before it, else `after`, and filters.
    /// - Throws: the ``Problem`` that names the parameter or the header field.
    init(stream request: Request) throws(Problem) {
        let parameters = QueryParameters(request)
        format = .serverSentEvents
        after = if let seen = try Self.lastEventID(request) { seen } else { try parameters.position("after") }
        limit = nil
        filter = try FeedFilter(parameters)
    }

    /// The position that a reader has seen; nil when it sends none, or an empty one because no event has come yet (HTML,
    /// "Server-sent events").
    private static func lastEventID(_ request: Request) throws(Problem) -> Position? {
        guard let text = request.header("Last-Event-ID"), !text.isEmpty else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw .malformed(
                "The header field Last-Event-ID must be the id of an event of this stream, a whole number."
            )
        }
        return Position(number)
    }
}

extension FeedFormat {
    /// The format of a page: `format` wins over `Accept`, which need not name one that there is.
    fileprivate init(_ name: String?, accepting accept: String?) throws(Problem) {
        switch name {
        case "json": self = .json
        case "ndjson": self = .ndjson
        case .some: throw .malformed("The parameter \"format\" must be json or ndjson.")
        case nil: self = accept?.lowercased().contains("application/x-ndjson") == true ? .ndjson : .json
        }
    }
}

extension FeedFilter {
    /// The environments that the log has.
    private static let environments: Set<StoreEnvironment> = [.production, .sandbox]

    /// The filters of a request: `kind`, `environment` and the keys; an event passes when it passes all of them.
    /// - Throws: the ``Problem`` that names the parameter.
    fileprivate init(_ parameters: QueryParameters) throws(Problem) {
        self.init()
        kind = try parameters.value("kind", "the name of a kind of event", EventKind.init(name:))
        environment = try parameters.value("environment", "Production or Sandbox") { text in
            StoreEnvironment(rawValue: text).flatMap { Self.environments.contains($0) ? $0 : nil }
        }
        transactionID = try parameters.identifier("transactionId")
        appTransactionID = try parameters.identifier("appTransactionId")
        appAccountToken = try parameters.value("appAccountToken", "a UUID") { PostgresUUID(text: $0) }
        lines = try parameters.identifier("originalTransactionId").map { [$0] }
    }
}

extension QueryParameters {
    /// An identifier; nil when the name is not there.
    fileprivate func identifier<ID: TextIdentifier>(_ name: String) throws(Problem) -> ID? {
        try value(name, "an identifier of 1 to \(ID.bytesMax) bytes") { text in
            (1...ID.bytesMax).contains(text.utf8.count) ? ID(rawValue: text) : nil
        }
    }

    /// What a parameter means; nil when the name is not there.
    fileprivate func value<Value>(
        _ name: String,
        _ expected: String,
        _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = text(name) else { return nil }
        guard let value = read(text) else { throw .malformed("The parameter \"\(name)\" must be \(expected).") }
        return value
    }
}
