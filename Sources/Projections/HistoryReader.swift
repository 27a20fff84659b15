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
        /// Whether no later event can come to count.
        package var isFinal: Bool

        /// Whether every line of what counts can be found; else ask again when the projection is there.
        package var isProjected: Bool { projected >= position }
    }

    private let connection: Connection
    private let catalogs: CatalogShelf
    private let log: EventReader

    /// Reads on this connection; what an answer is to be judged by is on the shelf when its horizon is known.
    package init(_ connection: Connection, catalogs: CatalogShelf) {
        self.connection = connection
        self.catalogs = catalogs
        log = EventReader(connection)
    }

    /// How far a question sees that counts what the ledger had recorded by `knownAt`; nil: all that is projected.
    package func horizon(_ knownAt: KnownAt?) throws -> Horizon {
        // The cursor first: every line of what lies at or below it can be found.
        let projected = try projected()
        guard let knownAt else { return Horizon(position: projected, projected: projected, isFinal: false) }
        let head = try log.head()
        switch knownAt {
        case .position(let position):
            return Horizon(
                position: min(position, head.position),
                projected: projected,
                isFinal: position <= head.position
            )
        case .time(let time):
            let last = try log.lastPosition(recordedBy: time, upTo: head.position)
            // The next event is recorded at the time of the head or later.
            return Horizon(position: last, projected: projected, isFinal: time < head.recordedAt)
        }
    }

    /// The same horizon, with how far the projection has come meanwhile.
    package func lookAgain(_ horizon: Horizon) throws -> Horizon {
        var horizon = horizon
        horizon.projected = try projected()
        return horizon
    }

    /// How far the projection has come; the catalogs up to there are on the shelf.
    private func projected() throws(EventStoreError) -> Position {
        let cursor = try FactProjection(connection).cursor()
        if !catalogs.holds(cursor.catalog) {
            let missing = catalogs.query
            catalogs.add(
                try eventStoreErrors { () throws(PostgresError) in
                    try connection.query(missing.statement, missing.parameters)
                }
            )
        }
        return cursor.position
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
        let events = try events(of: key, in: environment)
        return HistoricalFacts.fold(events, at: instant, knownAt: .position(last)).customer(key, in: environment)
    }

    /// The same facts, and the events up to that position that are about them.
    package func history(
        of key: CustomerKey,
        in environment: StoreEnvironment,
        at instant: Instant,
        upTo last: Position
    ) throws -> CustomerHistory {
        let events = try events(of: key, in: environment).filter { $0.isKnown(at: .position(last)) }
        let facts = HistoricalFacts.fold(events, at: instant, knownAt: nil).customer(key, in: environment)
        return CustomerHistory(facts, of: key, among: events)
    }

    /// The events of every line that a key was ever seen on, and of the customers that they name.
    private func events(of key: CustomerKey, in environment: StoreEnvironment) throws -> [LedgerEvent] {
        let lines = try lines(of: key, in: environment)
        var customers: [AppTransactionID] = []
        if case .appTransactionID(let id) = key { customers.append(id) }
        let events = try log.events(in: environment, lines: lines, customers: customers).map(\.event)
        // A consent belongs to the customer, not to a line.
        let named = Set(events.compactMap(\.appTransactionID)).subtracting(customers)
        if named.isEmpty { return events }
        return events + (try log.events(in: environment, lines: [], customers: named.sorted()).map(\.event))
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
