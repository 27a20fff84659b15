import LedgerCore
import TestSupport
import Testing

/// An answer of the daemon.
struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    /// The body as JSON; null when it is none.
    var json: JSONValue { (try? JSONReader.value(of: body)) ?? .null }

    subscript(name: String) -> JSONValue? { json[name] }

    /// `position` of the answer.
    var position: Int64? { self["position"]?.integer }

    var text: String { String(decoding: body, as: UTF8.self) }
}

/// What callers of the daemon do, on one connection; used by one thread.
final class DaemonClient {
    private let http: TestClient

    init(_ http: TestClient) { self.http = http }

    func send(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) throws -> Answer {
        let response = try http.exchange(method, target, headers: headers, body: body)
        return Answer(status: response.status, headers: response.headers, body: response.body)
    }

    /// Sends a part of a request as it stands.
    func sendPart(_ text: String) { http.send(text) }

    /// Sends a request whose answer is fetched later.
    func begin(_ method: String, _ target: String, body: String? = nil) { http.request(method, target, body: body) }

    /// The answer to a request that was begun.
    func finish() throws -> Answer {
        let response = try http.response()
        return Answer(status: response.status, headers: response.headers, body: response.body)
    }

    func get(_ target: String, token: String? = nil) throws -> Answer {
        try send("GET", target, headers: token.map { ["Authorization: Bearer \($0)"] } ?? [])
    }

    /// Posts a notification as the App Store does.
    func notify(_ signedPayload: [UInt8]) throws -> Answer {
        try send(
            "POST",
            "/v1/notifications",
            headers: ["Content-Type: application/json"],
            body: #"{"signedPayload":"\#(String(decoding: signedPayload, as: UTF8.self))"}"#
        )
    }

    /// Posts documents as an app's backend does.
    func post(
        transactions: [[UInt8]] = [],
        renewals: [[UInt8]] = [],
        app: [UInt8]? = nil,
        device: String? = nil,
        token: String? = nil
    ) throws -> Answer {
        func text(_ document: [UInt8]) -> JSONValue { .string(String(decoding: document, as: UTF8.self)) }
        let body = JSONValue.null.with([
            "signedTransactions": transactions.isEmpty ? nil : .array(transactions.map(text)),
            "signedRenewalInfos": renewals.isEmpty ? nil : .array(renewals.map(text)),
            "signedAppTransaction": app.map(text), "deviceVerificationId": device.map(JSONValue.string),
        ])
        return try send(
            "POST",
            "/v1/transactions",
            headers: token.map { ["Authorization: Bearer \($0)"] } ?? [],
            body: String(decoding: body.bytes, as: UTF8.self)
        )
    }

    /// Asks for entitlements: `query` begins with the key, `appTransactionId=…`.
    func entitlements(_ query: String, token: String? = nil) throws -> Answer {
        try get("/v1/entitlements?\(query)", token: token)
    }
}

/// Expects a problem document (RFC 9457) with all the members of the contract.
/// - Returns: its `detail`.
@discardableResult
func expectProblem(
    _ answer: Answer,
    _ status: Int,
    _ code: String,
    retryable: Bool = false,
    at location: SourceLocation = #_sourceLocation
) -> String {
    #expect(answer.status == status, "\(answer.text)", sourceLocation: location)
    #expect(answer.headers["content-type"] == "application/problem+json", sourceLocation: location)
    #expect(answer["code"]?.text == code, "\(answer.text)", sourceLocation: location)
    #expect(answer["status"]?.integer == Int64(status), sourceLocation: location)
    #expect(answer["type"]?.text == "urn:ledgerd:problem:\(code)", sourceLocation: location)
    #expect(answer["title"]?.text?.isEmpty == false, sourceLocation: location)
    #expect(answer["detail"]?.text?.isEmpty == false, sourceLocation: location)
    #expect(answer["retryable"]?.boolean == retryable, sourceLocation: location)
    let retryAfter = answer.headers["retry-after"].flatMap(Int.init)
    #expect((retryAfter != nil) == (status == 503), "503 alone names a time", sourceLocation: location)
    return answer["detail"]?.text ?? ""
}
