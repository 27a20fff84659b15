import HTTPServer
import LedgerCore

/// Finds the route of a request; the same for all loops of the daemon.
struct Router: Sendable {
    /// Answers a request, now or later.
    typealias Handler = @Sendable (Request, Responder) -> Void
    /// Answers a request from what lives in the loop that it came in by, now or later.
    typealias LoopHandler = @Sendable (Request, Responder, LoopRoom) -> Void

    /// What the answers of a route rest on.
    enum Foundation {
        /// Nothing outside the daemon.
        case daemon
        /// The log: 503 until the daemon has found its database in order.
        case log
        /// The projection's tables as well: 503 while they are of another shape than this program reads.
        case projection

        /// Why it cannot be used now.
        fileprivate func problem(by health: Health) -> Problem? {
            switch self {
            case .daemon: nil
            case .log: health.isOpen ? nil : .notBegun
            case .projection: !health.isOpen ? .notBegun : health.answersFromProjection ? nil : .notRebuilt
            }
        }
    }

    /// A route, as it was added.
    struct Route: Sendable {
        let method: String
        /// The path, parameters in braces.
        let path: String
        /// The scopes of which a token needs one; empty for a route without a token.
        let scopes: [Scope]
        /// How long its answers took, refusals for want of a token included.
        let latency = LatencyHistogram()
        fileprivate let handler: LoopHandler
    }

    private var routes: [String: [Route]] = [:]
    /// Paths with a parameter, by their segments.
    private var patterns: [(segments: [String], path: String)] = []
    private let authorizer: Authorizer
    private let health: Health

    init(_ authorizer: Authorizer, health: Health) {
        self.authorizer = authorizer
        self.health = health
    }

    /// Adds a route that answers from the loop.
    ///
    /// A segment of the path in braces (`/v1/events/{position}`) stands for any one segment that no other route names.
    /// The caller's token must have at least one of the scopes; where there is none, everybody may call. A route answers
    /// 503 while what it rests on cannot be used.
    mutating func add(
        _ method: String,
        _ path: String,
        needing scopes: [Scope],
        on foundation: Foundation = .projection,
        inLoop handler: @escaping LoopHandler
    ) {
        let (authorizer, health) = (authorizer, health)
        if path.contains("{"), routes[path] == nil {
            patterns.append((path.split(separator: "/").map(String.init), path))
        }
        routes[path, default: []].append(
            Route(method: method, path: path, scopes: scopes) { request, responder, room in
                if let problem = foundation.problem(by: health) { return responder.respond(problem.response) }
                if let problem = authorizer.problem(with: request, needing: scopes) {
                    return responder.respond(problem.response)
                }
                handler(request, responder, room)
            }
        )
    }

    /// Adds a route that needs nothing of the loop.
    mutating func add(
        _ method: String,
        _ path: String,
        needing scopes: [Scope],
        on foundation: Foundation = .projection,
        _ handler: @escaping Handler
    ) {
        add(
            method,
            path,
            needing: scopes,
            on: foundation,
            inLoop: { request, responder, _ in
                handler(request, responder)
            }
        )
    }

    /// All routes, by path and method.
    var listing: [Route] { routes.values.joined().sorted { ($0.path, $0.method) < ($1.path, $1.method) } }

    func handle(_ request: Request, _ responder: Responder, _ room: LoopRoom) {
        guard let candidates = routes[request.path] ?? candidates(matching: request.pathSegments) else {
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
        responder.measure(in: route.latency)
        route.handler(request, responder, room)
    }

    private func candidates(matching segments: [String]) -> [Route]? {
        let pattern = patterns.first { pattern in
            pattern.segments.count == segments.count
                && zip(pattern.segments, segments).allSatisfy { $0 == $1 || ($0.hasPrefix("{") && !$1.isEmpty) }
        }
        return pattern.flatMap { routes[$0.path] }
    }
}

extension Problem {
    /// The daemon has not found its database in order yet, so it neither takes nor tells anything.
    fileprivate static var notBegun: Problem {
        .storeUnavailable("The daemon has not found its database in order yet; /readyz tells why.")
    }

    /// The tables that answers come from have to be rebuilt.
    fileprivate static var notRebuilt: Problem {
        .storeUnavailable("The projection's tables are not of this program's shape; /readyz tells what to do.")
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
