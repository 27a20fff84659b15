import HTTPServer
import LedgerCore
import Postgres
import Projections

/// What lives in the loop's thread: the read connections, the questions on them, and the routes that answer from them.
///
/// `@unchecked Sendable` so that the parts can be made on one thread and used on the loop's: between the two, nobody
/// touches them, and afterwards only the loop does (``HTTPServer/onLoop(_:)``).
final class LoopRoom: @unchecked Sendable {
    let questions: CustomerQuestions
    let entitlements: EntitlementsRoute
    private let connections: [NonBlockingConnection]
    private let sources: [any LoopSource]

    /// Read connections in the loop (DESIGN.md section 6).
    static let readConnections = 2

    init(
        _ database: PostgresConfiguration,
        history: WorkPool,
        catalog: Catalog,
        served: Set<StoreEnvironment>
    ) {
        connections = (1...Self.readConnections).map { _ in NonBlockingConnection(database) }
        questions = CustomerQuestions(CustomerReader(connections))
        entitlements = EntitlementsRoute(questions, history: history, catalog: catalog, served: served)
        // The questions come first: what they hand over at the end of a round, the connections send in the same one.
        sources = [questions] + connections.map(DatabaseSource.init)
    }

    func enter(_ server: HTTPServer) {
        for source in sources { server.add(source) }
    }

    func start() { for connection in connections { connection.start() } }

    func close() { for connection in connections { connection.close() } }
}
