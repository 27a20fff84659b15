package import EventStore
package import LedgerCore
package import Postgres

/// Reads the registers from their tables, as they were known at a position.
///
/// Blocking, on a connection that the caller owns. Rows that are believed at a position stay so for ever, so pages read
/// at different times fit together.
package struct RegisterReader {
    /// A row, and where it stands in the order of its selection.
    package struct Item: Sendable {
        /// The row.
        package var row: BelievedEntry
        /// Its place.
        package var place: RegisterPlace
    }

    private let connection: Connection
    private let catalogs: CatalogShelf

    /// A reader on a connection; what rows are judged by is on the shelf when ``position()`` is known.
    package init(_ connection: Connection, catalogs: CatalogShelf) {
        self.connection = connection
        self.catalogs = catalogs
    }

    /// How far the projection has come: the newest position that a register can be known at.
    /// - Throws: ``EventStoreError``; ``ShapeMismatch`` when its tables are not to be read by this program.
    package func position() throws -> Position {
        let cursor = try FactProjection(connection).cursor()
        try catalogs.fetch(upTo: cursor.catalog, on: connection)
        return cursor.position
    }

    /// The catalog that an entry is judged by: the one in force when it happened, as known at a position.
    package func catalog(of entry: RegisterEntry, knownAt position: Position) -> Catalog {
        catalogs.catalog(at: entry.happenedAt, upTo: position)
    }

    /// What was reported of used units about some lines, by line; only lines about which anything was.
    /// - Throws: ``EventStoreError``, or ``LogCorruption`` naming an event that no version of ours wrote.
    package func usage(
        of lines: Set<OriginalTransactionID>,
        in environment: StoreEnvironment,
        knownAt position: Position
    ) throws -> [OriginalTransactionID: UsageAccount] {
        guard !lines.isEmpty else { return [:] }
        let marked = LineTable.loadQuery(lines.map { FactKey(environment, $0) })
        let used = LineTable.decodeAll(try connection.read(marked.statement, marked.parameters)).filter(\.fact.hasUsage)
        let history = HistoryReader(connection, catalogs: catalogs)
        var accounts: [OriginalTransactionID: UsageAccount] = [:]
        for line in used.map(\.fact.line.originalTransactionID) where accounts[line] == nil {
            let key = CustomerKey.originalTransactionID(line)
            // What was bought and taken back at any time: entries are judged by the whole state.
            let facts = try history.currentFacts(of: key, in: environment, upTo: position)
            guard let account = facts.usage else { continue }
            for shared in account.lines { accounts[shared.line.originalTransactionID] = account }
        }
        return accounts
    }

    /// The facts that belong to a key now, and so its lines.
    package func facts(of key: CustomerKey, in environment: StoreEnvironment) throws(EventStoreError) -> CustomerFacts {
        let rows = try connection.read(
            CustomerKey.statements[key.kind],
            [.int2(environment.code), .textArray([key.value])]
        )
        return CustomerRows.decode(rows, keys: 1)[0].facts
    }

    /// Entries in the order of their date, then of transaction and signing.
    /// - Parameters:
    ///   - selection: which of them.
    ///   - position: those that were believed here.
    ///   - other: and that were not believed here; nil: whether or not.
    ///   - place: after this one.
    ///   - limit: at most so many.
    /// - Returns: the entries; fewer than the limit when there are no more.
    /// - Throws: ``EventStoreError``.
    package func entries(
        _ selection: RegisterSelection,
        knownAt position: Position,
        butNotAt other: Position? = nil,
        after place: RegisterPlace? = nil,
        limit: Int
    ) throws(EventStoreError) -> [Item] {
        var selection = selection
        if let place { selection.from = max(selection.from, place.date) }
        var parameters = selection.parameters(knownAt: position, butNotAt: other)
        parameters += [
            .int8(place?.date.milliseconds ?? .min), .text(place?.id.transactionID.rawValue ?? ""),
            .int8(place?.id.signedAt.milliseconds ?? .min), .text(place?.id.kind.rawValue ?? ""),
            .int8(place?.knownFrom.rawValue ?? 0), .int8(Int64(limit)),
        ]
        let statement = RegisterStatements.read(selection)
        return Self.items(try connection.read(statement, parameters + selection.lineParameters))
    }

    /// What all of these entries add up to.
    package func totals(
        _ selection: RegisterSelection,
        knownAt position: Position,
        butNotAt other: Position? = nil
    ) throws(EventStoreError) -> RegisterTotals {
        let rows = try connection.read(
            RegisterStatements.sum(selection),
            selection.parameters(knownAt: position, butNotAt: other) + selection.lineParameters
        )
        var totals = RegisterTotals()
        for row in rows.indices { totals.add(RegisterTotals.Group(rows, row)) }
        return totals
    }

    /// All entries of some transactions that were believed at a position, in the order of their signing.
    package func entries(
        of transactions: [TransactionID],
        in environment: StoreEnvironment,
        knownAt position: Position
    ) throws(EventStoreError) -> [RegisterEntry] {
        let rows = try connection.read(
            RegisterStatements.ofTransactions,
            [.int2(environment.code), .textArray(transactions.map(\.rawValue)), .int8(position.rawValue)]
        )
        return Self.items(rows).map(\.row.entry)
    }

    /// How many transactions are revoked now, by environment.
    package static func balances(
        on connection: Connection
    ) throws(EventStoreError) -> [(environment: StoreEnvironment, balance: RevocationBalance)] {
        let rows = try connection.read(Statements.readRevocationCounts)
        return rows.indices.compactMap { row in
            guard let environment = StoreEnvironment(code: rows.int16(row, 0)) else { return nil }
            var balance = RevocationBalance()
            balance.revoked = Int(rows.int64(row, 1))
            balance.refunded = Int(rows.int64(row, 2))
            balance.withoutRefund = Int(rows.int64(row, 3))
            return (environment, balance)
        }
    }

    private static func items(_ rows: Rows) -> [Item] {
        rows.indices.map { row in
            let entry = rows.withBytes(row, 3) { span in
                unsafe span.withUnsafeBufferPointer { unsafe RegisterEntry(packed: $0) }
            }
            let believed = BelievedEntry(
                entry: entry,
                knownFrom: Position(rows.int64(row, 1)),
                knownTo: rows.optionalInt64(row, 2).map { Position($0) }
            )
            let date = Instant(milliseconds: rows.int64(row, 0))
            return Item(row: believed, place: RegisterPlace(date: date, id: entry.id, knownFrom: believed.knownFrom))
        }
    }
}

extension RegisterSelection {
    /// $1…$10 of the statements.
    fileprivate func parameters(knownAt position: Position, butNotAt other: Position?) -> [Parameter] {
        [
            .int2(environment.code), .textArray(kinds.map(\.rawValue).sorted()), .int8(from.milliseconds),
            .int8(to.milliseconds), .int8(position.rawValue), .int8(orNull: other?.rawValue),
            .text(orNull: currency?.rawValue), .text(orNull: productID?.rawValue), .text(orNull: bundleID?.rawValue),
            .int8(at.milliseconds),
        ]
    }

    /// The last ones of the statements by line; none for a window.
    fileprivate var lineParameters: [Parameter] {
        guard let lines else { return [] }
        return [.textArray(lines.map(\.rawValue)), .text(orNull: transactionID?.rawValue)]
    }
}

extension RegisterTotals.Group {
    /// A row of `sum_register_….sql`.
    fileprivate init(_ rows: Rows, _ row: Int) {
        guard let kind = RegisterEntry.Kind(rawValue: rows.text(row, 0)), let milliunits = Int128(rows.text(row, 6))
        else { preconditionFailure("a row of the register has an unknown kind") }
        self.init(
            kind: kind,
            revocationClass: rows.optionalText(row, 1).flatMap(RevocationClass.init(rawValue:)),
            currency: rows.optionalText(row, 2).map(CurrencyCode.init(rawValue:)),
            isForAppProblem: rows.bool(row, 3),
            count: Int(rows.int64(row, 4)),
            knownAmounts: Int(rows.int64(row, 5)),
            milliunits: milliunits
        )
    }
}

/// The statements of ``RegisterReader``.
private enum RegisterStatements {
    static func read(_ selection: RegisterSelection) -> Statement {
        (selection.lines == nil ? readWindow : readLines)[selection.basis]
    }

    static func sum(_ selection: RegisterSelection) -> Statement {
        (selection.lines == nil ? sumWindow : sumLines)[selection.basis]
    }

    static let ofTransactions = Statements.read(
        "read_register_transactions",
        PackageResources.read_register_transactions_sql
    )

    private static let readWindow = byBasis("read_register_window", PackageResources.read_register_window_sql)
    private static let readLines = byBasis("read_register_lines", PackageResources.read_register_lines_sql)
    private static let sumWindow = byBasis("sum_register_window", PackageResources.sum_register_window_sql)
    private static let sumLines = byBasis("sum_register_lines", PackageResources.sum_register_lines_sql)

    private static func byBasis(_ name: String, _ bytes: [UInt8]) -> StatementsByBasis {
        StatementsByBasis(
            name,
            bytes,
            [(.revocationDate, "happened_at"), (.purchaseDate, "purchase_date"), (.recordedAt, "recorded_at")]
        )
    }
}
