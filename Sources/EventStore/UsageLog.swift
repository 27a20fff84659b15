package import LedgerCore
package import Postgres

/// Reports of used units in the log, on a connection that the caller owns.
package struct UsageLog {
    /// What became of a report.
    package enum Outcome: Int16, Sendable, Hashable {
        /// It is the event at the position.
        case recorded = 1
        /// The event at the position is the same report.
        case duplicate = 2
        /// The event at the position is another report under the same key; nothing was recorded.
        case conflict = 3
    }

    private let connection: Connection

    /// Records on this connection.
    package init(_ connection: Connection) { self.connection = connection }

    /// Records a report unless its key is taken; durable when this returns, a duplicate too.
    ///
    /// Reports that come together with one key are one event: the database compares behind the lock that numbers events.
    /// - Parameters:
    ///   - usage: the report; a token that is no UUID names nobody.
    ///   - environment: the environment that its key is unique in.
    ///   - digest: of the report's ``Usage/json``.
    /// - Returns: the event that stands for the key, and what became of the report.
    /// - Throws: ``EventStoreError`` when nothing was recorded, or it is not known whether it was: try again.
    package func record(
        _ usage: Usage,
        in environment: StoreEnvironment,
        digest: DocumentDigest
    ) throws(EventStoreError) -> (position: Position, outcome: Outcome) {
        let rows: Rows
        do throws(PostgresError) {
            rows = try connection.query(
                Statements.appendUsage,
                [
                    .int2(environment.code), .text(usage.idempotencyKey.rawValue), .bytea(digest.bytes),
                    .bytea(usage.json),
                ] + usage.holder.columns
            )
        } catch { throw EventStoreError(error) }
        guard let outcome = Outcome(rawValue: rows.int16(0, 1)) else {
            preconditionFailure("ledger.append_usage answered with outcome \(rows.int16(0, 1))")
        }
        return (Position(rows.int64(0, 0)), outcome)
    }
}

extension CustomerKey {
    /// The columns of an event that name a customer: transaction, line, customer, token.
    fileprivate var columns: [Parameter] {
        var columns: [Parameter] = [.null(.text), .null(.text), .null(.text), .null(.uuid)]
        switch self {
        case .transactionID(let id): columns[0] = .text(id.rawValue)
        case .originalTransactionID(let id): columns[1] = .text(id.rawValue)
        case .appTransactionID(let id): columns[2] = .text(id.rawValue)
        case .appAccountToken(let token): columns[3] = .uuid(orNull: PostgresUUID(text: token.rawValue))
        }
        return columns
    }
}
