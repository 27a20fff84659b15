import HTTPServer
import Synchronization

/// Decides whether a request may do what it asks for, by its bearer token.
///
/// The tokens are those that the daemon read last; a revoked one ends within ``refreshInterval``.
final class Authorizer: Sendable {
    /// How often the tokens are read again.
    static let refreshInterval: Duration = .seconds(2)

    /// Scopes by digest; nil until the tokens were read for the first time.
    private let scopes = Mutex<[[UInt8]: Set<Scope>]?>(nil)
    private let isOn: Bool

    init(isOn: Bool) { self.isOn = isOn }

    /// Takes the tokens as they are now.
    func replace(with tokens: [TokenStore.Entry]) {
        let active = tokens.filter { !$0.isRevoked }
        let byDigest = Dictionary(active.map { ($0.digest, $0.scopes) }, uniquingKeysWith: { first, _ in first })
        scopes.withLock { $0 = byDigest }
    }

    /// What is wrong with a request's token, which must have one of these scopes; nil when nothing is.
    ///
    /// Without a scope no token is needed.
    func problem(with request: Request, needing wanted: [Scope]) -> Problem? {
        guard isOn, !wanted.isEmpty else { return nil }
        guard let token = request.bearerToken else {
            return .unauthorized("Send a token: Authorization: Bearer …; ledgerd token create makes one.")
        }
        let digest = AccessToken.digest(of: token)
        return scopes.withLock { known in
            guard let known else { return .storeUnavailable("The tokens could not be read yet.") }
            guard let scopes = known[digest] else {
                return .unauthorized("The token is not known, or was revoked.")
            }
            guard scopes.contains(.admin) || !scopes.isDisjoint(with: wanted) else {
                return Problem(
                    status: 403,
                    code: "scopeMissing",
                    title: "The token does not allow this",
                    detail:
                        "The route needs a token with the scope \(wanted.map(\.rawValue).joined(separator: " or "))."
                )
            }
            return nil
        }
    }
}

extension Problem {
    static func unauthorized(_ detail: String) -> Problem {
        Problem(status: 401, code: "unauthorized", title: "A token is needed", detail: detail)
    }
}
