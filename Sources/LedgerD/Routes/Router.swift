import HTTPServer
import LedgerCore

/// Finds the route of a request.
///
/// Confined to the loop's thread, like everything that answers at once.
final class Router {
    /// Answers a request, now or later.
    typealias Handler = (Request, Responder) -> Void

    private struct Route {
        var method: String
        var handler: Handler
    }

    private var routes: [String: [Route]] = [:]
    private let authorizer: Authorizer
    private let health: Health

    init(_ authorizer: Authorizer, health: Health) {
        self.authorizer = authorizer
        self.health = health
    }

    /// Adds a route.
    ///
    /// `scope` is what the caller's token must allow; nil for a route without a token.
    func add(
        _ method: String,
        _ path: String,
        scope: Scope?,
        needsDatabase: Bool = true,
        _ handler: @escaping Handler
    ) {
        add(method, path, anyOf: scope.map { [$0] } ?? [], needsDatabase: needsDatabase, handler)
    }

    /// Adds a route for tokens with at least one of these scopes; for everybody when there is none.
    ///
    /// One that needs the database answers 503 until the daemon has found it in order.
    func add(
        _ method: String,
        _ path: String,
        anyOf scopes: [Scope],
        needsDatabase: Bool = true,
        _ handler: @escaping Handler
    ) {
        let (authorizer, health) = (authorizer, health)
        routes[path, default: []].append(
            Route(method: method) { request, responder in
                guard health.isOpen || !needsDatabase else { return responder.respond(Problem.notBegun.response) }
                if let problem = authorizer.problem(with: request, needing: scopes) {
                    return responder.respond(problem.response)
                }
                handler(request, responder)
            }
        )
    }

    func handle(_ request: Request, _ responder: Responder) {
        guard let candidates = routes[request.path] else {
            return responder.respond(Problem.notFound(request.path).response)
        }
        // HEAD is GET whose body the server leaves out.
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let route = candidates.first(where: { $0.method == method }) else {
            let allowed = candidates.map(\.method).joined(separator: ", ")
            var response = Problem.methodNotAllowed(allowed).response
            response.headers.append(("Allow", allowed))
            return responder.respond(response)
        }
        route.handler(request, responder)
    }
}

extension Problem {
    /// The daemon has not found its database in order yet, so it neither takes nor tells anything.
    fileprivate static var notBegun: Problem {
        .storeUnavailable("The daemon has not found its database in order yet; /readyz tells why.")
    }
}

/// What a token allows (API.md, "Running it").
enum Scope: String, Sendable, CaseIterable {
    case ingest, read, finance, audit, admin
}

extension Response {
    /// A JSON answer.
    static func json(_ writer: JSONWriter, status: Int = 200) -> Response {
        Response(status: status, headers: [("Content-Type", "application/json")], bytes: writer.bytes)
    }
}
