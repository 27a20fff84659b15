import LedgerCore
package import Postgres

/// Appends units on one connection: interns header segments, sends batches, and sends units again uncut where the log
/// asks for it.
///
/// Used by one thread.
package final class Appender {
    private var headerIDs: [(segment: [UInt8], id: Int32)] = []

    /// Header segments that are remembered; the App Store uses one for about two years.
    private static let headersMax = 64

    package init() {}

    /// Appends units in order; they are durable when this returns.
    /// - Returns: for each unit what became of its events.
    package func append(_ units: [AppendUnit], on connection: Connection) throws(PostgresError) -> [[Appended]] {
        var results: [[Appended]?] = try run(units.map(\.events), on: connection)
        let again = results.indices.filter { results[$0] == nil }
        guard !again.isEmpty else { return results.compactMap { $0 } }
        let uncut = try run(again.map { units[$0].uncut ?? units[$0].events }, on: connection)
        for (index, result) in zip(again, uncut) { results[index] = result }
        return results.map { result in
            guard let result else { preconditionFailure("ledger.append refused a unit without references") }
            return result
        }
    }

    private func run(_ units: [[NewEvent]], on connection: Connection) throws(PostgresError) -> [[Appended]?] {
        var ids: [Int32?] = []
        for event in units.joined() {
            guard let segment = event.headerSegment else {
                ids.append(nil)
                continue
            }
            ids.append(try headerID(segment, on: connection))
        }
        return try AppendBatch(units).run(on: connection, headerIDs: ids)
    }

    /// Header segments are never changed or removed, so a number once learnt stays right on every connection.
    private func headerID(_ segment: [UInt8], on connection: Connection) throws(PostgresError) -> Int32 {
        if let known = headerIDs.first(where: { $0.segment.isEqual(to: segment) }) { return known.id }
        let rows = try connection.query(
            Statements.internHeader,
            [.text(String(decoding: segment, as: UTF8.self))]
        )
        let id = rows.int32(0, 0)
        if headerIDs.count == Self.headersMax { headerIDs.removeFirst() }
        headerIDs.append((segment, id))
        return id
    }
}
