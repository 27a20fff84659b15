import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import Projections

extension TestDatabase {
    /// Connects in the daemon's role, under a name.
    func daemon(_ name: String = "ledgerd tests") -> PostgresConfiguration {
        var session = configuration
        session.applicationName = name
        session.settings["role"] = "ledger_daemon"
        return session
    }
}

extension Story {
    /// The story as units to append: signed by the test chain and verified.
    func units(_ store: SimulatedStore) throws -> [AppendUnit] {
        try steps.map { step in
            switch step {
            case .document(let document):
                return AppendUnit(try store.verified(document.payload, as: document.kind), source: .device)
            case .notification(let notification, let inner):
                return AppendUnit(
                    try store.verifiedNotification(try Self.filled(notification.payload, inner, store)),
                    source: .notification
                )
            }
        }
    }

    private static let members: [DocumentKind: String] = [
        .transaction: "signedTransactionInfo", .renewalInfo: "signedRenewalInfo",
        .appTransaction: "signedAppTransactionInfo",
    ]

    /// The notification with the signed documents inside it.
    private static func filled(_ payload: Payload, _ inner: [Document], _ store: SimulatedStore) throws -> Payload {
        var texts: [String: Payload.Value?] = [:]
        for document in inner {
            let member = try #require(members[document.kind])
            texts[member] = .text(try store.verified(document.payload, as: document.kind).text)
        }
        return payload.with(
            ["data", "appData"].reduce(into: [:]) { changes, part in
                if case .object(let object) = payload[part] { changes[part] = .object(object.with(texts)) }
            }
        )
    }
}

/// The log and the tables of one database, on one connection.
final class ProjectionHarness {
    let connection: Connection
    let projection: FactProjection
    private let appender = Appender()

    init(_ connection: Connection) {
        self.connection = connection
        projection = FactProjection(connection)
    }

    func append(_ units: [AppendUnit]) throws { _ = try appender.append(units, on: connection) }

    /// Records a version of the catalog as its JSON text stands.
    func record(catalog text: String) throws {
        let payload = Array(text.utf8)
        _ = try CatalogLog(connection).record(payload, digest: DocumentDigest(testPayload: payload))
    }

    /// Records a report of used units.
    @discardableResult
    func record(_ report: UsageStory.Report) throws -> UsageLog.Outcome {
        let digest = DocumentDigest(testPayload: report.usage.json)
        return try UsageLog(connection).record(report.usage, in: report.environment, digest: digest).outcome
    }

    /// Folds until nothing is left.
    func catchUp() throws {
        while true {
            switch try projection.step() {
            case .advanced(_, isCaughtUp: false), .busy: continue
            case .advanced, .idle: return
            }
        }
    }

    /// Appends units, and folds until nothing is left.
    func appendAndFold(_ units: [AppendUnit]) throws {
        try append(units)
        try catchUp()
    }

    var head: Position { get throws { try EventReader(connection).head().position } }

    /// The whole log.
    func events() throws -> [LedgerEvent] {
        var all: [LedgerEvent] = []
        while true {
            let page = try EventReader(connection).events(
                after: all.last?.position ?? .start,
                limit: EventReader.pageMax
            )
            if page.isEmpty { return all }
            all += page.map(\.event)
        }
    }

    /// The log folded in one go.
    func foldedLog() throws -> FactSet {
        var facts = FactSet()
        for event in try events() { facts.fold(event) }
        facts.markUsed()
        return facts
    }

    /// Compares every column of the tables with the log folded in one go.
    func expectTablesEqualLog(_ comment: Comment) throws {
        let log = try foldedLog()
        let tables = try loadTables(log)
        // Of reports the tables only hold whom they name.
        var expectedFacts = FactSnapshot(log)
        expectedFacts.usages = [:]
        #expect(FactSnapshot(tables) == expectedFacts, comment)
        #expect(try usages() == log.usages.mapValues { [$0.usage.holder.value, "\($0.position)"] }, comment)
        let counts = try connection.query(Self.counts)
        let expected = [log.lines.count, log.appTransactions.count, log.consents.count]
        #expect((0..<3).map { Int(counts.int64(0, $0)) } == expected, comment)
        #expect(try transactionLines() == log.transactions.mapValues(\.originalTransactionID), comment)
        #expect(try lineKeys() == log.lineKeys, comment)
        #expect(try purchaseDates() == loggedPurchaseDates(), comment)
        #expect(try packedLines(log) == log.lineFacts, comment)
        #expect(try projection.position() == head, comment)
    }

    /// The facts that the tables hold under the keys of others.
    func loadTables(_ keys: FactSet) throws -> FactSet {
        let rows = try connection.pipeline([
            LineTable.loadQuery(Array(keys.lines.keys)),
            AppTransactionTable.loadQuery(Array(keys.appTransactions.keys)),
            ConsentTable.loadQuery(Array(keys.consents.keys)),
        ])
        var facts = FactSet()
        for (environment, line) in LineTable.decodeAll(rows[0]) {
            facts.merge(.line(line.line, environment))
            for transaction in line.transactions { facts.merge(.transaction(transaction, environment)) }
            if let renewal = line.renewal { facts.merge(.renewal(renewal, environment)) }
        }
        for row in AppTransactionTable.decodeAll(rows[1]) { facts.merge(.appTransaction(row.fact, row.environment)) }
        for row in ConsentTable.decodeAll(rows[2]) { facts.merge(.consent(row.fact, row.environment)) }
        return facts
    }

    /// The line that the tables name for each transaction.
    private func transactionLines() throws -> [FactKey<TransactionID>: OriginalTransactionID] {
        let rows = try connection.query(Self.lines)
        return try Dictionary(
            uniqueKeysWithValues: rows.indices.map { row in
                let environment = try #require(StoreEnvironment(code: rows.int16(row, 0)))
                return (
                    FactKey(environment, TransactionID(rawValue: rows.text(row, 1))),
                    OriginalTransactionID(rawValue: rows.text(row, 2))
                )
            }
        )
    }

    /// Whom the tables say that each report names, and where it is recorded.
    private func usages() throws -> [FactKey<IdempotencyKey>: [String]] {
        let rows = try connection.query(Self.reports)
        return try Dictionary(
            uniqueKeysWithValues: rows.indices.map { row in
                let environment = try #require(StoreEnvironment(code: rows.int16(row, 0)))
                let key = FactKey(environment, IdempotencyKey(rawValue: rows.text(row, 1)))
                return (key, [rows.text(row, 2), "\(rows.int64(row, 3))"])
            }
        )
    }

    /// The lines with all that they hold packed, which is what the other tables hold in columns.
    private func packedLines(_ keys: FactSet) throws -> [FactKey<OriginalTransactionID>: LineFacts] {
        let query = LineTable.loadQuery(Array(keys.lines.keys))
        let rows = LineTable.decodeAll(try connection.query(query.statement, query.parameters))
        return Dictionary(
            uniqueKeysWithValues: rows.map { (FactKey($0.environment, $0.fact.line.originalTransactionID), $0.fact) }
        )
    }

    /// Every key that the tables remember of a line.
    func lineKeys() throws -> Set<LineKey> {
        let rows = try connection.query(Self.keys)
        return try Set(
            rows.indices.map { row in
                LineKey(
                    environment: try #require(StoreEnvironment(code: rows.int16(row, 0))),
                    kind: try #require(LineKey.Kind(rawValue: rows.int16(row, 1))),
                    value: rows.text(row, 2),
                    line: OriginalTransactionID(rawValue: rows.text(row, 3))
                )
            }
        )
    }

    /// A date at which something was stated to be purchased.
    struct PurchaseDate: Hashable {
        var environment: StoreEnvironment
        var date: Instant
        var transaction: TransactionID
        var line: OriginalTransactionID
    }

    /// Every date of a purchase that the tables remember.
    func purchaseDates() throws -> Set<PurchaseDate> {
        let rows = try connection.query(Self.dates)
        return try Set(
            rows.indices.map { row in
                PurchaseDate(
                    environment: try #require(StoreEnvironment(code: rows.int16(row, 0))),
                    date: Instant(milliseconds: rows.int64(row, 1)),
                    transaction: TransactionID(rawValue: rows.text(row, 2)),
                    line: OriginalTransactionID(rawValue: rows.text(row, 3))
                )
            }
        )
    }

    /// The same of every rendering in the log.
    private func loggedPurchaseDates() throws -> Set<PurchaseDate> {
        Set(
            try events().compactMap { event in
                guard let fact = RegisterRendering(event)?.fact, let environment = event.environment,
                    fact.ownershipType?.rawValue == "PURCHASED"
                else { return nil }
                return PurchaseDate(
                    environment: environment,
                    date: fact.purchaseDate ?? fact.rendering.signedAt,
                    transaction: fact.transactionID,
                    line: fact.originalTransactionID
                )
            }
        )
    }

    private static let dates = Statement(
        name: "test_purchase_dates",
        sql: """
            SELECT environment, purchased_at, transaction_id, original_transaction_id FROM projection.purchase_dates
            """,
        isReadOnly: true
    )
    private static let lines = Statement(
        name: "test_transaction_lines",
        sql: "SELECT environment, transaction_id, original_transaction_id FROM projection.transaction_lines",
        isReadOnly: true
    )
    private static let keys = Statement(
        name: "test_line_keys",
        sql: "SELECT environment, kind, value, original_transaction_id FROM projection.line_keys",
        isReadOnly: true
    )
    private static let reports = Statement(
        name: "test_usages",
        sql: "SELECT environment, idempotency_key, holder, position FROM projection.usages",
        isReadOnly: true
    )
    private static let counts = Statement(
        name: "test_counts",
        sql: """
            SELECT (SELECT count(*) FROM projection.lines), (SELECT count(*) FROM projection.app_transactions),
              (SELECT count(*) FROM projection.consents)
            """,
        isReadOnly: true
    )
}

extension TestDatabase {
    /// Runs blocking work as the daemon, on a thread of its own.
    func project<Value: Sendable>(
        _ body: @escaping @Sendable (ProjectionHarness) throws -> Value
    ) async throws -> Value {
        let configuration = daemon()
        return try await offPool {
            let connection = try Connection(configuration)
            defer { connection.close() }
            return try body(ProjectionHarness(connection))
        }
    }
}
