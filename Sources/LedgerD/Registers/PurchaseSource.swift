import LedgerCore
import Postgres
import Projections

/// The register of purchases of everybody.
struct PurchaseSource: RegisterSource {
    /// Transactions of one look for totals.
    private static let pageMax = 1000

    private var lastPlace: PurchaseReader.Place?

    /// Begins after a place of an earlier page; nil: at the beginning.
    init(after place: PurchaseReader.Place?) { lastPlace = place }

    var place: RegisterCursor.Place? { lastPlace.map(RegisterCursor.Place.purchase) }

    mutating func next(
        _ selection: RegisterSelection,
        at position: Position,
        limit: Int,
        _ connection: Connection
    ) throws -> (rows: RegisterRows, readCount: Int) {
        let page = try PurchaseReader(connection).page(selection, knownAt: position, after: lastPlace, limit: limit)
        lastPlace = page.place ?? lastPlace
        return (.purchases(page.rows), page.readCount)
    }

    func writeTotals(
        _ selection: RegisterSelection,
        at position: Position,
        _ connection: Connection,
        to json: inout JSONWriter
    ) throws {
        var totals = PurchaseTotals()
        try Self(after: nil).forEachPage(selection, at: position, connection, pageMax: Self.pageMax) { page in
            if case .purchases(let rows) = page { for row in rows { totals.add(row.purchase) } }
        }
        totals.write(to: &json)
    }
}
