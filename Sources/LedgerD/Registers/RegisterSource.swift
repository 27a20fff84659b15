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

extension RegisterSource {
    /// Hands all rows behind the source's place to the body, at most `pageMax` read at a time.
    func forEachPage(
        _ selection: RegisterSelection,
        at position: Position,
        _ connection: Connection,
        pageMax: Int,
        _ body: (RegisterRows) -> Void
    ) throws {
        var source = self
        var page: (rows: RegisterRows, readCount: Int)
        repeat {
            page = try source.next(selection, at: position, limit: pageMax, connection)
            body(page.rows)
        } while page.readCount == pageMax
    }
}
