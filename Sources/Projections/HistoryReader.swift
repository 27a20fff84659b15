import EventStore
package import LedgerCore
package import Postgres

/// Answers questions about the past: folds a customer's own events again, with the fold of the live tables, over what
/// was signed by an instant and recorded by another (DESIGN.md section 5).
///
/// Blocking, on a connection that the caller owns.
package struct HistoryReader {
    /// What a question about the past found, and the position that it stands at.
    package struct Answer: Sendable {
        package var facts: CustomerFacts
        package var position: Position
        /// How far the projection had come: above it, lines of the key may not have been found.
        ///
        /// When it lies below ``position``, ask again later.
        package var projected: Position
    }

    private let connection: Connection
    private let log: EventReader

    package init(_ connection: Connection) {
        self.connection = connection
        log = EventReader(connection)
    }

    /// The facts that belonged to a key.
    ///
    /// `instant` is the effective time (`at`); `knownAt` narrows to what the ledger had recorded by then, otherwise all
    /// that is projected counts.
    package func read(
        _ key: CustomerKey,
        in environment: StoreEnvironment,
        at instant: Instant,
        knownAt: KnownAt?
    ) throws -> Answer {
        // The cursor first: every line of what lies at or below it can be found.
        let projected = try FactProjection(connection).position()
        // The bound next: what is appended while we read lies above it.
        let bound = try bound(knownAt) ?? projected
        let lines = try lines(of: key, in: environment)
        var customers: [AppTransactionID] = []
        if case .appTransactionID(let id) = key { customers.append(id) }
        var events = try log.events(in: environment, lines: lines, customers: customers).map(\.event)
        // A consent belongs to the customer, not to a line.
        let named = Set(events.compactMap(\.appTransactionID)).subtracting(customers)
        if !named.isEmpty {
            events += try log.events(in: environment, lines: [], customers: named.sorted()).map(\.event)
        }
        let facts = HistoricalFacts.fold(events, at: instant, knownAt: .position(bound))
        return Answer(facts: facts.customer(key, in: environment), position: bound, projected: projected)
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
