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
    private func projected() throws -> Position {
        let cursor = try FactProjection(connection).cursor()
        try catalogs.fetch(upTo: cursor.catalog, on: connection)
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

    /// The facts that the tables held at a position that is projected, folded from the log, with what was reported of used
    /// units.
    package func currentFacts(
        of key: CustomerKey,
        in environment: StoreEnvironment,
        upTo last: Position
    ) throws -> CustomerFacts {
        try facts(of: key, in: environment, at: .distantFuture, upTo: last)
    }

    /// The same facts as they stood at an instant, and the events up to that position that are about them.
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

    /// The events of every line that a key was ever seen on, of the customers that they name, and of the lines that share
    /// their reports of used units.
    private func events(of key: CustomerKey, in environment: StoreEnvironment) throws -> [LedgerEvent] {
        var asked = EventKeys()
        var next = EventKeys(lines: Set(try lines(of: key, in: environment)))
        if case .appTransactionID(let id) = key { next.customers = [id] }
        var events: [LedgerEvent] = []
        // It ends because every round asks for keys that were not asked for; nearly always with the first or second.
        while !next.isEmpty {
            let (stored, hasUsages) = try log.events(in: environment, about: next)
            let found = stored.map(\.event)
            events += found
            asked.formUnion(next)
            // A consent belongs to the customer, not to a line, and so do some reports.
            next = EventKeys(namedBy: found, forUsages: hasUsages)
            for customer in Set(found.compactMap(\.reportedCustomer)) {
                next.lines.formUnion(try self.lines(of: customer, in: environment))
            }
            next.subtract(asked)
        }
        return events
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

extension EventKeys {
    /// What events name besides their lines: other events about the same customer are found by it.
    fileprivate init(namedBy events: [LedgerEvent], forUsages: Bool) {
        self.init()
        for event in events {
            if let id = event.appTransactionID { customers.insert(id) }
            guard forUsages else { continue }
            if let token = event.appAccountToken { tokens.insert(token) }
            if let id = event.transactionID { transactions.insert(id) }
        }
    }
}

extension LedgerEvent {
    /// Whose lines share the units that this event reports as used; nil for what is about one line, or no report.
    fileprivate var reportedCustomer: CustomerKey? {
        guard kind == .usage, originalTransactionID == nil, transactionID == nil else { return nil }
        return appTransactionID.map { .appTransactionID($0) } ?? appAccountToken.map { .appAccountToken($0) }
    }
}
