import EventStore
import HTTPServer
import LedgerCore
import Synchronization

/// `GET /healthz`, `/readyz`, `/version` and `/openapi.json`.
struct StatusRoutes: Sendable {
    let health: Health

    func healthz(_ request: Request, _ responder: Responder) {
        responder.respond(Response(status: 200, headers: [("Content-Type", "text/plain")], text: "alive\n"))
    }

    func readyz(_ request: Request, _ responder: Responder) {
        let state = health.snapshot
        var json = JSONWriter(reservingCapacity: 256)
        json.beginObject()
        json.member("ready", state.isReady)
        json.member("schema", state.schemaIsCurrent ? "current" : "unknown")
        json.member("database", state.databaseProblem == nil ? "reachable" : "unreachable")
        json.member("appended", health.log.position)
        json.member("projected", health.projected.position)
        json.name("revocations")
        json.beginArray()
        for (environment, balance) in state.revocations { write(balance, in: environment, to: &json) }
        json.endArray()
        json.member("problem", state.projectionProblem ?? state.databaseProblem)
        json.endObject()
        responder.respond(.json(json, status: state.isReady ? 200 : 503))
    }

    /// Detail that decides nothing: refunds and the rest are all revocations.
    private func write(_ balance: RevocationBalance, in environment: StoreEnvironment, to json: inout JSONWriter) {
        json.beginObject()
        json.member("environment", environment.rawValue)
        json.member("revoked", balance.revoked)
        json.member("refunded", balance.refunded)
        json.member("withoutRefund", balance.withoutRefund)
        json.member("balanced", balance.isWhole)
        json.endObject()
    }

    func version(_ request: Request, _ responder: Responder) {
        var json = JSONWriter(reservingCapacity: 128)
        json.beginObject()
        json.member("name", Version.name)
        json.member("version", Version.number)
        json.member("schemaVersion", Int64(Migrations.newest))
        json.endObject()
        responder.respond(.json(json))
    }
}

extension StatusRoutes {
    /// Answers with the OpenAPI document of all routes, which is written by hand (`Resources/openapi.json`) and held
    /// against the routes and their answers by `OpenAPITests`.
    func description(_ request: Request, _ responder: Responder) {
        responder.respond(
            Response(
                status: 200,
                headers: [("Content-Type", "application/json")],
                bytes: PackageResources.openapi_json
            )
        )
    }
}

/// What this program is.
enum Version {
    static let name = "ledgerd"
    static let number = "0.1.0"
}

/// Whether the daemon can do its work, as its threads last saw it.
final class Health: Sendable {
    struct State: Sendable {
        /// The database has the schema that this program knows.
        var schemaIsCurrent = false
        /// Why the database could not be used last; nil when it could.
        var databaseProblem: String?
        /// Why the projection stands still for good.
        var projectionProblem: String?
        /// Revoked transactions, as the registers held them when the daemon last looked.
        var revocations: [(environment: StoreEnvironment, balance: RevocationBalance)] = []
        /// The daemon is on its way out.
        var isStopping = false

        var isReady: Bool { schemaIsCurrent && databaseProblem == nil && projectionProblem == nil && !isStopping }
    }

    /// How far this daemon knows the log to be durable.
    let log = ProgressBoard()
    /// How far the projection is known to have come.
    let projected = ProgressBoard()
    private let state = Mutex(State())
    private let hasBegun = Atomic<Bool>(false)
    private let hasShape = Atomic<Bool>(true)

    /// Whether the daemon has found its database in order once: its schema, its own rights, the callers' tokens.
    ///
    /// Before that it takes no request that needs the database.
    var isOpen: Bool { hasBegun.load(ordering: .relaxed) }

    func open() { hasBegun.store(true, ordering: .relaxed) }

    /// Whether answers may come from the projection's tables: not while they are of another shape than this program reads.
    var answersFromProjection: Bool {
        get { hasShape.load(ordering: .relaxed) }
        set { hasShape.store(newValue, ordering: .relaxed) }
    }

    var snapshot: State { state.withLock { $0 } }

    func update(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
}
