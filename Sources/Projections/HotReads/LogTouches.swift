package import LedgerCore
package import Postgres

/// What the events between two positions touch, and where the projection stood when it was looked at: one snapshot.
package struct LogTouches: Sendable, Hashable {
    /// Which answers may have changed.
    package enum Extent: Sendable, Hashable {
        /// Those that depend on one of these and stand before the event at the position.
        case answers([Touch])
        /// Any answer: a catalog, an event that does not say what it is about, or too many events.
        case everything
    }

    /// One event touches one thing.
    package struct Touch: Sendable, Hashable {
        package var tag: AnswerTag
        package var position: Position

        package init(_ tag: AnswerTag, at position: Position) {
            self.tag = tag
            self.position = position
        }
    }

    /// Positions that are looked through at a time; past it everything counts as touched.
    package static let spanMax: Int64 = 4096

    /// Where the projection stands.
    package var position: Position
    /// Which set of tables it is: another number after a rebuild has switched.
    package var tables: Int64
    package var extent: Extent

    package init(position: Position, tables: Int64, extent: Extent) {
        self.position = position
        self.tables = tables
        self.extent = extent
    }

    /// What was found after a position; nil: nothing was looked for but the position.
    fileprivate init(_ rows: Rows, after: Position?) {
        position = Position(rows.int64(0, 0))
        tables = rows.int64(0, 1)
        extent = .answers([])
        guard let after else { return }
        guard position.rawValue - after.rawValue <= Self.spanMax else {
            extent = .everything
            return
        }
        var touches: [Touch] = []
        for row in rows.indices where !rows.isNull(row, 2) {
            guard let tags = NamedThings(rows, row).tags else {
                extent = .everything
                return
            }
            let position = Position(rows.int64(row, 2))
            touches += tags.map { Touch($0, at: position) }
        }
        extent = .answers(touches)
    }
}

extension NonBlockingConnection {
    /// Looks at what was appended after a position, up to where the projection stands.
    ///
    /// The completion is called in a later turn of the loop, never from here.
    /// - Parameters:
    ///   - position: nil: only where the projection stands is of interest.
    ///   - completion: gets what is touched.
    /// - Throws: ``PostgresError/limitExceeded(what:limit:)``, ``PostgresError/closed``.
    package func readTouches(
        after position: Position?,
        completion: @escaping (Result<LogTouches, PostgresError>) -> Void
    ) throws(PostgresError) {
        let after = position ?? .start
        try submit(
            Statements.readTouches,
            [.int8(after.rawValue), .int8(position == nil ? 0 : LogTouches.spanMax)]
        ) { result in completion(result.map { LogTouches($0, after: position) }) }
    }
}

/// What one event names, as the columns of `read_touches.sql` have it.
private struct NamedThings {
    let kind: EventKind?
    let environment: StoreEnvironment?
    let transaction: String?
    let line: String?
    /// Those of the event, and those of its line now.
    let customers: [String]
    let tokens: [String]

    init(_ rows: Rows, _ row: Int) {
        kind = EventKind(rawValue: rows.int16(row, 3))
        environment = StoreEnvironment(code: rows.int16(row, 4))
        transaction = rows.optionalText(row, 5)
        line = rows.optionalText(row, 6)
        customers = [rows.optionalText(row, 7), rows.optionalText(row, 9)].compactMap(\.self)
        tokens = [rows.optionalUUID(row, 8)?.description, rows.optionalText(row, 10)].compactMap(\.self)
    }

    /// Nil when the event may be about anything: an identifier that no column can hold stands in its payload all the
    /// same, and a fact may hang on it.
    var tags: [AnswerTag]? {
        guard saysEnough, let environment else { return nil }
        var keys: [CustomerKey] = customers.map { .appTransactionID(AppTransactionID(rawValue: $0)) }
        keys += tokens.map { .appAccountToken(AppAccountToken(rawValue: $0)) }
        if let line { keys.append(.originalTransactionID(OriginalTransactionID(rawValue: line))) }
        if let transaction { keys.append(.transactionID(TransactionID(rawValue: transaction))) }
        return keys.map { AnswerTag($0, environment) }
    }

    private var saysEnough: Bool {
        switch kind {
        case .transaction: line != nil && transaction != nil
        case .renewalInfo: line != nil
        // What they carry is folded by these columns, so without them nothing is.
        case .notification, .conflict, .appTransaction: true
        case .catalog, nil: false
        case .usage, .accountToken, .consent, .consumptionAnswer:
            line != nil || transaction != nil || !customers.isEmpty || !tokens.isEmpty
        }
    }
}
