import HTTPServer
import LedgerCore

/// An error as the HTTP interface says it: RFC 9457 problem details with a stable `code`.
struct Problem: Sendable {
    var status: Int
    var code: String
    var title: String
    var detail: String
    var isRetryable: Bool

    /// After how many seconds a retryable request may come again.
    static let retryAfterSeconds = 5

    init(status: Int, code: String, title: String, detail: String, isRetryable: Bool = false) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.isRetryable = isRetryable
    }

    init(_ rejection: Rejection) {
        self.init(
            status: rejection.code.httpStatus,
            code: rejection.code.rawValue,
            title: "The document was refused",
            detail: rejection.document == .outer
                ? rejection.detail : "\(rejection.document.rawValue): \(rejection.detail)",
            isRetryable: rejection.code.isRetryable
        )
    }

    /// Writes the members of the problem into an open object.
    func writeMembers(to json: inout JSONWriter) {
        json.member("type", "urn:ledgerd:problem:\(code)")
        json.member("title", title)
        json.member("status", Int64(status))
        json.member("detail", detail)
        json.member("code", code)
        json.member("retryable", isRetryable)
    }

    var response: Response {
        var json = JSONWriter(reservingCapacity: 512)
        json.beginObject()
        writeMembers(to: &json)
        json.endObject()
        return response(body: json.bytes)
    }

    func response(body: [UInt8]) -> Response {
        var headers = [("Content-Type", "application/problem+json")]
        if status == 503 { headers.append(("Retry-After", String(Self.retryAfterSeconds))) }
        if status == 401 { headers.append(("WWW-Authenticate", "Bearer")) }
        var response = Response(status: status, headers: headers, bytes: body)
        response.countedAs = code
        return response
    }
}

extension Problem {
    static func malformed(_ detail: String) -> Problem {
        Problem(status: 400, code: "malformed", title: "The request cannot be read", detail: detail)
    }

    static func storeUnavailable(_ detail: String) -> Problem {
        Problem(
            status: 503,
            code: "storeUnavailable",
            title: "The ledger cannot be reached now",
            detail: detail,
            isRetryable: true
        )
    }

    static func overloaded(_ detail: String) -> Problem {
        Problem(
            status: 503,
            code: "overloaded",
            title: "Too much waits already",
            detail: detail,
            isRetryable: true
        )
    }

    static func notFound(_ path: String) -> Problem {
        Problem(
            status: 404,
            code: "notFound",
            title: "No such route",
            detail: "There is nothing at this path; see the README for the routes."
        )
    }

    static func methodNotAllowed(_ allowed: String) -> Problem {
        Problem(
            status: 405,
            code: "methodNotAllowed",
            title: "The route has another method",
            detail: "Use \(allowed) on this path."
        )
    }

    /// What the server refuses by itself.
    init(_ refusal: Refusal) {
        self.init(
            status: refusal.status,
            code: refusal.code,
            title: "The request was refused",
            detail: refusal.sentence,
            isRetryable: refusal.isRetryable
        )
    }
}

extension Refusal {
    fileprivate var sentence: String {
        switch self {
        case .malformed: "The request breaks HTTP's rules; send it with one Content-Length or with chunks."
        case .bodyTooLarge: "The body is longer than 256 KiB; no document of the App Store is."
        case .headerTooLarge: "The header is too long."
        case .requestTimedOut: "The request was not complete within its time."
        case .overloaded: "The requests in flight are too large together; try again in a moment."
        case .responseTimedOut: "The answer was not there within its time; try again."
        case .invalidResponse: "The daemon made an answer that cannot be sent; please report this."
        }
    }
}
