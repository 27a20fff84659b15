import EventStore
import HTTPServer
import LedgerCore
import Postgres

/// What a reader of the feed still has to get; a step looks at the log once.
struct FeedWork: StreamWork {
    /// Rows of one look at the log.
    static let rowsMax = 512
    /// Bytes that one step encodes; the rest of its rows is read again by the next one.
    static let stepBytesMax = 256 << 10
    /// Bytes of a usual event, for the room that is made for several.
    private static let eventBytes = 512
    /// Positions that one look passes over in search of events that pass a filter: some 50 ms.
    static let scanMax: Int64 = 50_000
    /// Bytes after which a page ends, though more events were asked for.
    static let pageBytesMax = 8 << 20

    let query: FeedQuery
    /// Everything up to here was looked at.
    private(set) var cursor: Position
    /// The position that a page stands at; nil before the first look, and always for a stream.
    private var bound: Position?
    private var count = 0
    private var byteCount = 0
    var pending: ArraySlice<UInt8>
    private(set) var isOver = false

    init(_ query: FeedQuery) {
        self.query = query
        cursor = query.after
        pending = query.format.opening[...]
    }

    var headers: [(name: String, value: String)] { query.format.headers }
    var isBounded: Bool { query.limit != nil }
    var signOfLife: [UInt8] { query.format.mark(cursor) }

    mutating func look(_ connection: Connection) throws -> StreamLook {
        let reader = EventReader(connection)
        let head = try bound ?? reader.head().position
        if query.limit != nil { bound = head }
        // Lines are found by an index; other filters pass over what lies between.
        let isScan = query.filter.lines == nil
        let upTo = isScan ? min(head, Position(cursor.rawValue.addingClamped(Self.scanMax))) : head
        let limit = min(Self.rowsMax, query.limit.map { $0 - count } ?? .max)
        let events = try reader.feed(after: cursor, upTo: upTo, limit: limit, filter: query.filter)
        let isWhole = encode(events)
        if isWhole, events.count < limit { cursor = max(cursor, upTo) }
        let isAtEnd = isWhole && cursor >= head
        if query.limit != nil {
            endPage(isAtEnd: isAtEnd, at: head)
        } else if events.isEmpty, !isAtEnd {
            pending += query.format.mark(cursor)
        }
        return isAtEnd ? .atEnd : .more
    }

    /// Encodes events in order until they fill a step; whether all of them did fit.
    private mutating func encode(_ events: [FeedEvent]) -> Bool {
        var json = JSONWriter(reservingCapacity: min(events.count * Self.eventBytes, Self.stepBytesMax))
        json.between(pending)
        for (index, event) in events.enumerated() {
            query.format.write(event, isFirst: count == 0, to: &json)
            cursor = event.position
            count += 1
            if json.bytes.count >= Self.stepBytesMax, index < events.count - 1 {
                take(json)
                return false
            }
        }
        take(json)
        return true
    }

    private mutating func take(_ json: JSONWriter) {
        pending = json.bytes[...]
        byteCount += pending.count
    }

    /// Ends a page that is full or has come to the end of the log.
    ///
    /// One that has passed over many positions goes on until it has an event: an empty page means the end.
    private mutating func endPage(isAtEnd: Bool, at head: Position) {
        let isFull = count == query.limit || byteCount >= Self.pageBytesMax
        let isFarEnough = count > 0 && cursor.rawValue - query.after.rawValue >= Self.scanMax
        guard isAtEnd || isFull || isFarEnough else { return }
        pending += query.format.closing(next: cursor >= head ? nil : cursor, at: head)
        isOver = true
    }
}

extension Int64 {
    /// The sum, or the greatest number where there is none.
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
