import LedgerCore
import Postgres
import Projections

/// The register of refund requests.
struct RefundRequestSource: RegisterSource {
    /// Requests of one look for totals.
    private static let pageMax = 256

    private var lastPlace: RefundRequestReader.Place?

    /// Begins after a place of an earlier page; nil: at the beginning.
    init(after place: RefundRequestReader.Place?) { lastPlace = place }

    var place: RegisterCursor.Place? { lastPlace.map(RegisterCursor.Place.request) }

    mutating func next(
        _ selection: RegisterSelection,
        at position: Position,
        limit: Int,
        _ connection: Connection
    ) throws -> (rows: RegisterRows, readCount: Int) {
        let page = try RefundRequestReader(connection)
            .page(selection, knownAt: position, after: lastPlace, limit: limit)
        lastPlace = page.place ?? lastPlace
        return (.requests(page.rows), page.readCount)
    }

    func writeTotals(
        _ selection: RegisterSelection,
        at position: Position,
        _ connection: Connection,
        to json: inout JSONWriter
    ) throws {
        var totals = RefundRequestTotals()
        try Self(after: nil).forEachPage(selection, at: position, connection, pageMax: Self.pageMax) { page in
            if case .requests(let rows) = page { totals.add(rows) }
        }
        totals.write(to: &json)
    }
}
