package import LedgerCore
package import Postgres

/// One event of the feed: what it is and whom it is about, without its payload (API.md, "Audit").
package struct FeedEvent: Sendable, Hashable {
    package var position: Position
    package var kind: EventKind
    /// nil where an event is about no environment.
    package var environment: StoreEnvironment?
    package var bundleID: BundleID?
    package var recordedAt: Instant
    package var signedAt: Instant?
    package var source: EventSource
    package var notificationType: String?
    package var subtype: String?
    package var notificationID: NotificationID?
    package var transactionID: TransactionID?
    package var originalTransactionID: OriginalTransactionID?
    package var appTransactionID: AppTransactionID?
    /// The notification that it came with.
    package var causedBy: Position?

    /// Reads a row of `read_feed.sql`.
    init(_ rows: Rows, _ row: Int) throws(LogCorruption) {
        position = Position(rows.int64(row, 0))
        guard let kind = EventKind(rawValue: rows.int16(row, 1)), let source = EventSource(rawValue: rows.int16(row, 6))
        else { throw LogCorruption(position: position, finding: .unknownCode) }
        self.kind = kind
        self.source = source
        environment = StoreEnvironment(code: rows.int16(row, 2))
        bundleID = rows.optionalText(row, 3).map(BundleID.init(rawValue:))
        recordedAt = Instant(milliseconds: rows.int64(row, 4))
        signedAt = rows.optionalInt64(row, 5).map(Instant.init(milliseconds:))
        notificationType = rows.optionalText(row, 7)
        subtype = rows.optionalText(row, 8)
        notificationID = rows.optionalUUID(row, 9).map { NotificationID(rawValue: $0.description) }
        transactionID = rows.optionalText(row, 10).map(TransactionID.init(rawValue:))
        originalTransactionID = rows.optionalText(row, 11).map(OriginalTransactionID.init(rawValue:))
        appTransactionID = rows.optionalText(row, 12).map(AppTransactionID.init(rawValue:))
        causedBy = rows.optionalInt64(row, 13).map { Position($0) }
    }

    /// The same of an event that was read whole.
    package init(_ event: LedgerEvent) {
        position = event.position
        kind = event.kind
        environment = event.environment
        bundleID = event.bundleID
        recordedAt = event.recordedAt
        signedAt = event.signedAt
        source = event.source
        notificationType = event.notificationType
        subtype = event.subtype
        notificationID = event.notificationID
        transactionID = event.transactionID
        originalTransactionID = event.originalTransactionID
        appTransactionID = event.appTransactionID
        causedBy = event.causedBy
    }

    /// Writes the members of the API's item into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("position", position)
        json.name("kind")
        json.literal(kind.name)
        json.member("environment", environment?.rawValue)
        json.member("bundleId", bundleID)
        json.member("recordedAt", recordedAt)
        json.member("signedDate", signedAt)
        json.name("source")
        json.literal(source.name)
        json.member("notificationType", notificationType)
        json.member("subtype", subtype)
        json.member("notificationUUID", notificationID)
        json.member("transactionId", transactionID)
        json.member("originalTransactionId", originalTransactionID)
        json.member("appTransactionId", appTransactionID)
        json.member("causedBy", causedBy?.rawValue)
    }
}

/// Which events of the feed are wanted; positions stay as they are.
package struct FeedFilter: Sendable, Hashable {
    package var kind: EventKind?
    package var environment: StoreEnvironment?
    /// Events whose own key this is; the App Store leaves keys out of some documents.
    package var transactionID: TransactionID?
    package var appTransactionID: AppTransactionID?
    package var appAccountToken: PostgresUUID?
    /// Events of these lines; nil: of all.
    package var lines: [OriginalTransactionID]?
    /// With ``lines``: also events of this customer that belong to no line.
    package var customer: AppTransactionID?

    package init(
        kind: EventKind? = nil,
        environment: StoreEnvironment? = nil,
        lines: [OriginalTransactionID]? = nil,
        customer: AppTransactionID? = nil
    ) {
        self.kind = kind
        self.environment = environment
        self.lines = lines
        self.customer = customer
    }
}

extension EventReader {
    /// A page of the feed, in order of position.
    ///
    /// Everything that can be read is durable: a commit becomes visible after it was flushed.
    package func feed(
        after position: Position,
        upTo last: Position,
        limit: Int,
        filter: FeedFilter
    ) throws -> [FeedEvent] {
        var statement = Statements.readFeed
        var parameters: [Parameter] = [
            .int8(position.rawValue), .int8(last.rawValue), .int8(Int64(min(limit, Self.pageMax))),
            .int2(orNull: filter.kind?.rawValue), .int2(orNull: filter.environment?.code),
            .text(orNull: filter.transactionID?.rawValue), .text(orNull: filter.appTransactionID?.rawValue),
            .uuid(orNull: filter.appAccountToken),
        ]
        if let lines = filter.lines {
            statement = Statements.readFeedOfLines
            parameters += [.textArray(lines.map(\.rawValue)), .text(orNull: filter.customer?.rawValue)]
        }
        let rows = try query(statement, parameters)
        var events: [FeedEvent] = []
        events.reserveCapacity(rows.count)
        for row in rows.indices { events.append(try FeedEvent(rows, row)) }
        return events
    }
}
