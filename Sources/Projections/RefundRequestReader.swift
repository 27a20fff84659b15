import EventStore
package import LedgerCore
package import Postgres

/// Reads the register of refund requests from the log, as it was known at a position.
///
/// Blocking, on a connection that the caller owns. What was recorded by a position stays so for ever, so pages read at
/// different times fit together.
package struct RefundRequestReader {
    /// Where a page ends: the next one begins after it.
    package struct Place: Hashable, Sendable {
        /// The date that the requests are ordered by.
        package var date: Instant
        /// The event of the request.
        package var position: Position

        /// The place of a request.
        package init(date: Instant, position: Position) {
            self.date = date
            self.position = position
        }
    }

    /// Some of the requests of a selection.
    package struct Page: Sendable {
        /// Those that pass the filters by product and currency, in the order of their date.
        package var rows: [RefundRequestRow]
        /// How many there were before these filters.
        package var readCount: Int
        /// Where the page ends; nil when there were none.
        package var place: Place?
    }

    private let connection: Connection

    /// A reader on a connection.
    package init(_ connection: Connection) { self.connection = connection }

    /// Requests in the order of their date, then of their position.
    /// - Parameters:
    ///   - selection: which of them; its kinds of entries do not matter.
    ///   - position: as known here.
    ///   - place: after this one.
    ///   - limit: at most so many are read.
    /// - Returns: a page; it read fewer than the limit when there are no more.
    /// - Throws: ``EventStoreError``, or ``LogCorruption`` naming an event that no version of ours wrote.
    package func page(
        _ selection: RegisterSelection,
        knownAt position: Position,
        after place: Place?,
        limit: Int
    ) throws -> Page {
        let found = try find(selection, position, place, limit)
        let requests = try events(at: found.map(\.position)).compactMap { RefundRequest($0) }
        let byPosition = Dictionary(uniqueKeysWithValues: requests.map { ($0.position, $0) })
        let related = try related(to: requests, selection.environment, upTo: position)
        let rows = found.compactMap { byPosition[$0.position] }.map { request in
            let events = request.transactionID.flatMap { related[$0] } ?? []
            return RefundRequestRow(request, among: events, at: selection.at)
        }
        return Page(rows: rows.filter(selection.takes), readCount: found.count, place: found.last)
    }

    private func find(
        _ selection: RegisterSelection,
        _ position: Position,
        _ place: Place?,
        _ limit: Int
    ) throws(EventStoreError) -> [Place] {
        var parameters: [Parameter] = [
            .int2(selection.environment.code), .int8(max(selection.from, place?.date ?? selection.from).milliseconds),
            .int8(selection.to.milliseconds), .int8(position.rawValue), .int8(selection.at.milliseconds),
            .text(orNull: selection.bundleID?.rawValue), .int8(place?.date.milliseconds ?? .min),
            .int8(place?.position.rawValue ?? 0), .int8(Int64(limit)),
        ]
        var statements = Self.ofWindow
        if let lines = selection.lines {
            statements = Self.ofLines
            parameters += [.textArray(lines.map(\.rawValue)), .text(orNull: selection.transactionID?.rawValue)]
        }
        let rows = try connection.read(statements[selection.basis], parameters)
        return rows.indices.map { row in
            Place(date: Instant(milliseconds: rows.int64(row, 0)), position: Position(rows.int64(row, 1)))
        }
    }

    /// What is recorded of the requests' transactions.
    private func related(
        to requests: [RefundRequest],
        _ environment: StoreEnvironment,
        upTo position: Position
    ) throws -> [TransactionID: [LedgerEvent]] {
        let pairs = requests.compactMap { request in
            request.transactionID.flatMap { id in request.originalTransactionID.map { [id.rawValue, $0.rawValue] } }
        }
        let transactions = Array(Set(pairs))
        guard !transactions.isEmpty else { return [:] }
        let rows = try connection.read(
            Self.events,
            [
                .int2(environment.code), .textArray(transactions.map { $0[0] }), .textArray(transactions.map { $0[1] }),
                .int8(position.rawValue),
            ]
        )
        let found = try events(at: rows.indices.map { Position(rows.int64($0, 0)) })
        return Dictionary(grouping: found) { $0.transactionID ?? TransactionID(rawValue: "") }
    }

    private func events(at positions: [Position]) throws -> [LedgerEvent] {
        try EventReader(connection).events(at: positions).map(\.event)
    }

    private static let bases: [(basis: RegisterBasis, column: String)] = [
        (.recordedAt, "recorded_at"), (.requestedAt, "signed_at"),
    ]
    private static let ofWindow = StatementsByBasis(
        "find_refund_requests",
        PackageResources.find_refund_requests_sql,
        bases
    )
    private static let ofLines = StatementsByBasis(
        "find_refund_requests_of_lines",
        PackageResources.find_refund_requests_of_lines_sql,
        bases
    )
    private static let events = Statements.read("find_refund_events", PackageResources.find_refund_events_sql)
}

extension RegisterSelection {
    /// Whether a request is about the product and in the currency that are asked for.
    fileprivate func takes(_ row: RefundRequestRow) -> Bool {
        (productID.map { $0 == row.subject?.productID } ?? true)
            && (currency.map { $0 == row.subject?.currency } ?? true)
    }
}
