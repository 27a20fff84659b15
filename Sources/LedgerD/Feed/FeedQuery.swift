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
        format = try Self.pageFormat(request)
        if request.query("after") != nil, request.query("cursor") != nil {
            throw .malformed("Send either \"after\" or \"cursor\", not both.")
        }
        after = try Self.position(request, parameter: request.query("cursor") == nil ? "after" : "cursor")
        let wanted = try Self.integer(request.query("limit"), "parameter \"limit\"", in: 1...Self.limitMax)
        limit = Int(wanted ?? Self.limitDefault)
        filter = try FeedFilter(request)
    }

    /// A stream: `Last-Event-ID` of the events before it, else `after`, and filters.
    /// - Throws: the ``Problem`` that names the parameter or the header field.
    init(stream request: Request) throws(Problem) {
        format = .serverSentEvents
        // An empty one means that no event has come yet (HTML, "Server-sent events").
        let seen = request.header("Last-Event-ID").flatMap { $0.isEmpty ? nil : $0 }
        let last = try Self.integer(seen, "header field \"Last-Event-ID\"", in: 0...Int64.max)
        after = if let last { Position(last) } else { try Self.position(request, parameter: "after") }
        limit = nil
        filter = try FeedFilter(request)
    }

    /// `format` wins over `Accept`, which need not name a format that there is.
    private static func pageFormat(_ request: Request) throws(Problem) -> FeedFormat {
        switch request.query("format") {
        case "json": return .json
        case "ndjson": return .ndjson
        case .some: throw .malformed("The parameter \"format\" must be json or ndjson.")
        case nil:
            let accepted = request.header("Accept")?.lowercased() ?? ""
            return accepted.contains("application/x-ndjson") ? .ndjson : .json
        }
    }

    private static func position(_ request: Request, parameter name: String) throws(Problem) -> Position {
        Position(try integer(request.query(name), "parameter \"\(name)\"", in: 0...Int64.max) ?? 0)
    }

    private static func integer(
        _ text: String?,
        _ place: String,
        in range: ClosedRange<Int64>
    ) throws(Problem) -> Int64? {
        guard let text else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw .malformed("The \(place) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}

extension FeedFilter {
    /// The filters of a request: `kind`, `environment` and the keys; an event passes when it passes all of them.
    /// - Throws: the ``Problem`` that names the parameter.
    fileprivate init(_ request: Request) throws(Problem) {
        self.init()
        kind = try Self.value(request, "kind", EventKind.init(name:), "the name of a kind of event")
        environment = try Self.value(
            request,
            "environment",
            StoreEnvironment.init(rawValue:),
            "Production or Sandbox"
        )
        transactionID = try Self.identifier(request, "transactionId")
        appTransactionID = try Self.identifier(request, "appTransactionId")
        appAccountToken = try Self.value(request, "appAccountToken", { PostgresUUID(text: $0) }, "a UUID")
        lines = try Self.identifier(request, "originalTransactionId").map { [$0] }
    }

    private static func identifier<ID: TextIdentifier>(_ request: Request, _ name: String) throws(Problem) -> ID? {
        try value(
            request,
            name,
            { (1...ID.bytesMax).contains($0.utf8.count) ? ID(rawValue: $0) : nil },
            "an identifier of 1 to \(ID.bytesMax) bytes"
        )
    }

    private static func value<Value>(
        _ request: Request,
        _ name: String,
        _ read: (String) -> Value?,
        _ expected: String
    ) throws(Problem) -> Value? {
        guard let text = request.query(name) else { return nil }
        guard let value = read(text) else { throw .malformed("The parameter \"\(name)\" must be \(expected).") }
        return value
    }
}
