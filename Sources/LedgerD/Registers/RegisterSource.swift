import LedgerCore
import Postgres
import Projections

/// Where the rows of a register come from that is not made from entries, a page at a time.
protocol RegisterSource: Sendable {
    /// Where the last page ended; nil before the first row.
    var place: RegisterCursor.Place? { get }

    /// The next rows.
    /// - Parameters:
    ///   - selection: which of them, with the lines of the key.
    ///   - position: as known here.
    ///   - limit: at most so many are read; each gives one row at most.
    ///   - connection: a session of the pool.
    /// - Returns: the rows, and how many were read for them: fewer than the limit when there are no more.
    /// - Throws: what ``Problem/init(reading:)`` knows.
    mutating func next(
        _ selection: RegisterSelection,
        at position: Position,
        limit: Int,
        _ connection: Connection
    ) throws -> (rows: RegisterRows, readCount: Int)

    /// Writes `totals` over the whole selection.
    func writeTotals(
        _ selection: RegisterSelection,
        at position: Position,
        _ connection: Connection,
        to json: inout JSONWriter
    ) throws
}

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
        var place: RefundRequestReader.Place?
        repeat {
            let page = try RefundRequestReader(connection)
                .page(selection, knownAt: position, after: place, limit: Self.pageMax)
            totals.add(page.rows)
            place = page.readCount == Self.pageMax ? page.place : nil
        } while place != nil
        totals.write(to: &json)
    }
}
