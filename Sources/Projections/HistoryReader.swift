import EventStore
package import LedgerCore
package import Postgres

/// Answers questions about the past: folds a customer's own events again, with the fold of the live tables, over what
/// was signed by an instant and recorded by another (DESIGN.md section 5).
///
/// Blocking, on a connection that the caller owns.
package struct HistoryReader {
    /// How far a question about the past sees.
    package struct Horizon: Sendable {
        /// The last event that counts.
        package var position: Position
        /// How far the projection had come: above it, lines of a key may not have been found.
        package var projected: Position

        /// Whether every line of what counts can be found; else ask again when the projection is there.
        package var isProjected: Bool { projected >= position }
    }

    private let connection: Connection
    private let log: EventReader

    package init(_ connection: Connection) {
        self.connection = connection
        log = EventReader(connection)
    }

    /// How far a question sees that counts what the ledger had recorded by `knownAt`; nil: all that is projected.
    package func horizon(_ knownAt: KnownAt?) throws -> Horizon {
        // The cursor first: every line of what lies at or below it can be found.
        let projected = try FactProjection(connection).position()
        return Horizon(position: try bound(knownAt) ?? projected, projected: projected)
    }

    /// The facts that belonged to a key, folded from the events up to a position that is projected.
    ///
    /// `instant` is the effective time (`at`).
    package func facts(
        of key: CustomerKey,
        in environment: StoreEnvironment,
        at instant: Instant,
        upTo last: Position
    ) throws -> CustomerFacts {
        let lines = try lines(of: key, in: environment)
        var customers: [AppTransactionID] = []
        if case .appTransactionID(let id) = key { customers.append(id) }
        var events = try log.events(in: environment, lines: lines, customers: customers).map(\.event)
        // A consent belongs to the customer, not to a line.
        let named = Set(events.compactMap(\.appTransactionID)).subtracting(customers)
        if !named.isEmpty {
            events += try log.events(in: environment, lines: [], customers: named.sorted()).map(\.event)
        }
        return HistoricalFacts.fold(events, at: instant, knownAt: .position(last)).customer(key, in: environment)
    }

    /// The last position that `knownAt` lets count.
    private func bound(_ knownAt: KnownAt?) throws -> Position? {
        guard let knownAt else { return nil }
        let head = try log.head().position
        switch knownAt {
        case .position(let position): return min(position, head)
        case .time(let time): return try log.lastPosition(recordedBy: time, upTo: head)
        }
    }

    private func lines(
        of key: CustomerKey,
        in environment: StoreEnvironment
    ) throws(EventStoreError) -> [OriginalTransactionID] {
        try eventStoreErrors { () throws(PostgresError) in
            let code = Parameter.int2(environment.code)
            switch key {
            case .originalTransactionID(let id): return [id]
            case .transactionID(let id):
                return ids(try connection.query(Statements.findLineOfTransaction, [code, .text(id.rawValue)]))
            case .appTransactionID(let id):
                return ids(
                    try connection.query(Statements.findLines, [code, kind(.appTransactionID), .text(id.rawValue)])
                )
            case .appAccountToken(let token):
                return ids(
                    try connection.query(Statements.findLines, [code, kind(.appAccountToken), .text(token.rawValue)])
                )
            }
        }
    }

    private func kind(_ kind: LineKey.Kind) -> Parameter { .int2(kind.rawValue) }

    private func ids(_ rows: Rows) -> [OriginalTransactionID] {
        rows.indices.map { OriginalTransactionID(rawValue: rows.text($0, 0)) }
    }
}
