package import LedgerCore
package import Postgres

/// Reads the log, on a connection that the caller owns.
package struct EventReader {
    private let connection: Connection

    /// The most events of one page.
    package static let pageMax = 10_000

    package init(_ connection: Connection) { self.connection = connection }

    /// The last position, and when it was recorded.
    package func head() throws(EventStoreError) -> (position: Position, recordedAt: Instant) {
        let rows = try query(Statements.readHead, [])
        return (Position(rows.int64(0, 0)), Instant(milliseconds: rows.int64(0, 1)))
    }

    /// Events after a position, in order and without a hole, at most ``pageMax``.
    /// - Throws: ``LogCorruption`` naming the first event that cannot be read or is missing; ``EventStoreError``.
    package func events(after position: Position, limit: Int) throws -> [StoredEvent] {
        let limit = min(limit, Self.pageMax)
        return try StoredEvent.page(
            query(Statements.readEvents, [.int8(position.rawValue), .int8(Int64(limit))]),
            after: position
        )
    }

    /// Events after a position, in order and without a hole, at most ``pageMax``, read in a running transaction.
    package static func events(
        after position: Position,
        limit: Int,
        in tx: borrowing Transaction
    ) throws -> [StoredEvent] {
        try StoredEvent.page(
            tx.query(Statements.readEvents, [.int8(position.rawValue), .int8(Int64(min(limit, pageMax)))]),
            after: position
        )
    }

    /// The renderings of some transactions that were recorded by a position, in no order, read in a running transaction.
    ///
    /// Each transaction is named with the line that those renderings state; others of it are not found.
    package static func renderings(
        of transactions: [(key: FactKey<TransactionID>, line: OriginalTransactionID)],
        upTo position: Position,
        in tx: borrowing Transaction
    ) throws -> [StoredEvent] {
        try StoredEvent.all(
            tx.query(
                Statements.readRenderings,
                [
                    .int2Array(transactions.map(\.key.environment.code)),
                    .textArray(transactions.map(\.key.id.rawValue)),
                    .textArray(transactions.map(\.line.rawValue)), .int8(position.rawValue),
                ]
            )
        )
    }

    /// Events by position; unknown positions are left out.
    package func events(at positions: [Position]) throws -> [StoredEvent] {
        try StoredEvent.all(query(Statements.readPositions, [.int8Array(positions.map(\.rawValue))]))
    }

    /// All events about some keys, oldest first, and whether the log has any report of used units: without one, nobody
    /// need look for it.
    package func events(
        in environment: StoreEnvironment,
        about keys: EventKeys
    ) throws -> (events: [StoredEvent], hasUsages: Bool) {
        let rows = try query(
            Statements.readLines,
            [
                .int2(environment.code), .textArray(keys.lines.map(\.rawValue)),
                .textArray(keys.customers.map(\.rawValue)), .textArray(keys.transactions.map(\.rawValue)),
                .uuidArray(keys.tokens.compactMap { PostgresUUID(text: $0.rawValue) }),
            ]
        )
        return (try StoredEvent.all(rows), !rows.isEmpty && rows.bool(0, 22))
    }

    /// The last position that was recorded by a time.
    ///
    /// Recording times never decrease, so it is found by halving.
    package func lastPosition(recordedBy time: Instant, upTo head: Position) throws(EventStoreError) -> Position {
        var known = Position.start.rawValue
        var unknown = head.rawValue + 1
        while unknown - known > 1 {
            let middle = known + (unknown - known) / 2
            let recordedAt = try query(Statements.readRecordedAt, [.int8(middle)]).int64(0, 0)
            if recordedAt <= time.milliseconds { known = middle } else { unknown = middle }
        }
        return Position(known)
    }

    /// The last position that `knownAt` lets count.
    package func lastPosition(knownAt: KnownAt) throws(EventStoreError) -> Position {
        let head = try head().position
        switch knownAt {
        case .position(let position): return min(position, head)
        case .time(let time): return try lastPosition(recordedBy: time, upTo: head)
        }
    }

    /// Whether the log has a transaction of a line.
    package func knowsLine(
        _ line: OriginalTransactionID,
        in environment: StoreEnvironment
    ) throws(EventStoreError) -> Bool {
        try query(Statements.knowsLine, [.int2(environment.code), .text(line.rawValue)]).bool(0, 0)
    }

    /// The document exactly as it was received; nil for an event that is not a signed document.
    /// - Throws: ``LogCorruption`` when something that the event refers to is not there; ``EventStoreError``.
    package func receivedText(of event: StoredEvent) throws -> [UInt8]? {
        if let received = event.received { return received }
        guard let headerID = event.headerID, let signature = event.signature else { return nil }
        guard let header = try header(headerID) else {
            throw LogCorruption(position: event.event.position, finding: .missingHeader(id: headerID))
        }
        return CompactText.join(header: header, payload: try wholePayload(of: event), signature: signature)
    }

    /// The payload as it was signed, inner documents included.
    /// - Throws: ``LogCorruption`` when an inner document is not there; ``EventStoreError``.
    package func wholePayload(of event: StoredEvent) throws -> [UInt8] {
        guard !event.innerPositions.isEmpty else { return event.event.payload }
        var texts: [Position: [UInt8]] = [:]
        // An inner document holds none itself, so this goes one level deep.
        for inner in try events(at: event.innerPositions) {
            texts[inner.event.position] = try receivedText(of: inner)
        }
        let parts = try zip(event.innerOffsets, event.innerPositions).map { offset, inner in
            guard let text = texts[inner] else {
                throw LogCorruption(position: event.event.position, finding: .missingDocument(at: inner))
            }
            return (offset: offset, text: text)
        }
        return CompactText.splice(event.event.payload, parts)
    }

    private func header(_ id: Int32) throws -> [UInt8]? {
        let rows = try query(Statements.readHeaders, [.int4Array([id])])
        return rows.isEmpty ? nil : rows.bytes(0, 1)
    }

    func query(_ statement: Statement, _ parameters: [Parameter]) throws(EventStoreError) -> Rows {
        do throws(PostgresError) { return try connection.query(statement, parameters) } catch {
            throw EventStoreError(error)
        }
    }
}
