import LedgerCore
import Postgres

/// One call of `ledger.append`: units in, what became of each of their events out.
struct AppendBatch {
    private let units: [[NewEvent]]

    init(_ units: [[NewEvent]]) { self.units = units }

    /// Appends in one transaction of its own, which is durable when this returns.
    /// - Returns: for each unit what became of its events, or nil for a unit that must be sent uncut.
    func run(
        on connection: Connection,
        headerIDs: [Int32?]
    ) throws(PostgresError) -> [[Appended]?] {
        let rows = try connection.query(Statements.append, parameters(headerIDs))
        let positions = rows.int64s(0, 0)
        let outcomes = rows.int16s(0, 1)
        var next = 0
        return units.map { unit in
            defer { next += unit.count }
            return outcomes[next..<next + unit.count].allSatisfy({ $0 != 0 })
                ? (next..<next + unit.count).map { index in
                    guard let outcome = Appended.Outcome(rawValue: outcomes[index]) else {
                        preconditionFailure("ledger.append answered with outcome \(outcomes[index])")
                    }
                    return Appended(position: Position(positions[index]), outcome: outcome)
                } : nil
        }
    }

    /// The columns as arrays, in the order of `ledger.append`.
    private func parameters(_ headerIDs: [Int32?]) -> [Parameter] {
        let events = units.flatMap { $0 }
        var firsts: [Int32?] = []
        for unit in units {
            let first = Int32(firsts.count + 1)
            firsts += unit.map { _ in first }
        }
        return [
            .int4Array(firsts),
            .int2Array(events.map(\.kind.rawValue)),
            .int2Array(events.map { $0.environment?.code ?? 0 }),
            .int2Array(events.map(\.source.rawValue)),
            .int8Array(events.map(\.signedAt?.milliseconds)),
            .int4Array(headerIDs),
            .uuidArray(events.map(\.notificationID)),
            .uuidArray(events.map(\.appAccountToken)),
            .textArray(events.map(\.bundleID?.rawValue)),
            .textArray(events.map(\.notificationType)),
            .textArray(events.map(\.subtype)),
            .textArray(events.map(\.transactionID?.rawValue)),
            .textArray(events.map(\.originalTransactionID?.rawValue)),
            .textArray(events.map(\.appTransactionID?.rawValue)),
            .byteaArray(events.map(\.digest.bytes)),
            .int4Array(events.map(\.cutOffset)),
            .byteaArray(events.map(\.signature)),
            .byteaArray(events.map(\.payload)),
            .byteaArray(events.map(\.received)),
        ]
    }
}
