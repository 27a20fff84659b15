import HTTPServer
import LedgerCore
import Projections

/// `GET /v1/registers/…`: what was refunded, revoked and is to be taken back, as known now or on an earlier day.
struct RegisterRoutes: Sendable {
    /// Readers of registers that are served at once; past it 503.
    static let readersMax = 32

    /// Those that are being served.
    let readers: StreamReaders<RegisterWork>
    private let catalogs: CatalogShelf
    private let served: Set<StoreEnvironment>

    init(pool: WorkPool, catalogs: CatalogShelf, served: Set<StoreEnvironment>) {
        readers = StreamReaders(of: "the registers", pool: pool, countMax: Self.readersMax)
        self.catalogs = catalogs
        self.served = served
    }

    /// The route of one register of entries.
    func handler(_ register: RegisterKind) -> Router.Handler {
        { request, responder in
            do throws(Problem) {
                let query = try RegisterQuery(register, request, served: served)
                readers.serve(RegisterWork(query, catalogs: catalogs), responder)
            } catch { responder.respond(error.response) }
        }
    }
}
