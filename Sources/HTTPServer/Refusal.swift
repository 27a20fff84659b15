/// Why the server answers a request by itself, instead of the handler.
package enum Refusal: Error, Sendable, CaseIterable {
    /// The request breaks HTTP's rules, or could be read in two ways (RFC 9112 section 6.3).
    case malformed
    /// The body is longer than ``HTTPServerConfiguration/bodyBytesMax``.
    case bodyTooLarge
    /// The header is longer than ``HTTPServerConfiguration/headerBytesMax``.
    case headerTooLarge
    /// The request was not complete within ``HTTPServerConfiguration/requestDeadline``.
    case requestTimedOut
    /// The bodies of all requests in flight exceed ``HTTPServerConfiguration/bodiesBytesMax``.
    case overloaded
    /// The handler did not answer within ``HTTPServerConfiguration/responseDeadline``.
    case responseTimedOut
    /// The handler's response cannot be sent: a wrong status, or a header field that none can be. A bug of ours.
    case invalidResponse

    /// The HTTP status of the answer.
    package var status: Int {
        switch self {
        case .malformed: 400
        case .bodyTooLarge: 413
        case .headerTooLarge: 431
        case .requestTimedOut: 408
        case .overloaded, .responseTimedOut: 503
        case .invalidResponse: 500
        }
    }

    /// The stable code of the answer, as problem documents carry it.
    package var code: String {
        switch self {
        case .malformed: "malformedRequest"
        case .bodyTooLarge: "tooLarge"
        case .headerTooLarge: "headerTooLarge"
        case .requestTimedOut: "requestTimedOut"
        case .overloaded: "overloaded"
        case .responseTimedOut: "responseTimedOut"
        case .invalidResponse: "internalError"
        }
    }

    /// Whether the same request may succeed later.
    package var isRetryable: Bool {
        switch self {
        case .malformed, .bodyTooLarge, .headerTooLarge, .invalidResponse: false
        case .requestTimedOut, .overloaded, .responseTimedOut: true
        }
    }
}
