package import LedgerCore
package import Postgres

/// One event with all of its columns.
package struct StoredEvent: Sendable {
    package var event: LedgerEvent
    package var headerID: Int32?
    package var signature: [UInt8]?
    /// Where in the payload, as stored, the texts of ``innerPositions`` belong.
    package var innerOffsets: [Int]
    package var innerPositions: [Position]
    /// The text as it came, where the columns would not give it back.
    package var received: [UInt8]?

    /// Reads a row with the columns of `read_events.sql`.
    init(_ rows: Rows, _ row: Int) throws(LogCorruption) {
        let position = Position(rows.int64(row, 0))
        guard let kind = EventKind(rawValue: rows.int16(row, 5)),
            let source = EventSource(rawValue: rows.int16(row, 7)),
            let digest = rows.withBytes(row, 16, { DocumentDigest(span: $0) })
        else { throw LogCorruption(position: position, finding: .unknownCode) }
        event = LedgerEvent(
            position: position,
            kind: kind,
            environment: StoreEnvironment(code: rows.int16(row, 6)),
            source: source,
            recordedAt: Instant(milliseconds: rows.int64(row, 1)),
            digest: digest,
            payload: rows.bytes(row, 20)
        )
        event.signedAt = rows.optionalInt64(row, 2).map(Instant.init(milliseconds:))
        event.causedBy = rows.optionalInt64(row, 3).map { Position($0) }
        event.notificationID = rows.optionalUUID(row, 8).map { NotificationID(rawValue: $0.description) }
        event.appAccountToken = rows.optionalUUID(row, 9).map { AppAccountToken(rawValue: $0.description) }
        event.bundleID = rows.optionalText(row, 10).map(BundleID.init(rawValue:))
        event.notificationType = rows.optionalText(row, 11)
        event.subtype = rows.optionalText(row, 12)
        event.transactionID = rows.optionalText(row, 13).map(TransactionID.init(rawValue:))
        event.originalTransactionID = rows.optionalText(row, 14).map(OriginalTransactionID.init(rawValue:))
        event.appTransactionID = rows.optionalText(row, 15).map(AppTransactionID.init(rawValue:))
        headerID = rows.optionalInt32(row, 4)
        innerOffsets = rows.isNull(row, 17) ? [] : rows.int32s(row, 17).map(Int.init)
        innerPositions = rows.isNull(row, 18) ? [] : rows.int64s(row, 18).map { Position($0) }
        signature = rows.optionalBytes(row, 19)
        received = rows.optionalBytes(row, 21)
    }

    /// The events of consecutive positions from the one behind `position` on (DESIGN invariant 3), of rows as
    /// ``all(_:)`` takes them.
    package static func page(_ rows: Rows, after position: Position) throws(LogCorruption) -> [StoredEvent] {
        for row in rows.indices {
            let expected = Position(position.rawValue + Int64(row) + 1)
            guard rows.int64(row, 0) == expected.rawValue else {
                throw LogCorruption(position: expected, finding: .missingEvent)
            }
        }
        return try all(rows)
    }

    /// The events of rows with the columns of `read_events.sql`, in the order of the rows; other columns may follow.
    package static func all(_ rows: Rows) throws(LogCorruption) -> [StoredEvent] {
        var events: [StoredEvent] = []
        events.reserveCapacity(rows.count)
        for row in rows.indices { events.append(try StoredEvent(rows, row)) }
        return events
    }
}
