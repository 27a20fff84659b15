import EventStore
import LedgerCore

/// The forms in which the feed is sent.
enum FeedFormat: Sendable {
    /// One object with a list.
    case json
    /// One event a line.
    case ndjson
    /// One event a block, with its position as its id (HTML, "Server-sent events").
    case serverSentEvents

    /// How long a reader of server-sent events waits before it connects again, in milliseconds.
    static let retryMilliseconds = 2000

    var headers: [(name: String, value: String)] {
        switch self {
        case .json: [("Content-Type", "application/json")]
        case .ndjson: [("Content-Type", "application/x-ndjson")]
        case .serverSentEvents: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
        }
    }

    /// What comes before the first event.
    var opening: [UInt8] {
        switch self {
        case .json: Array(#"{"items":["#.utf8)
        case .ndjson: []
        case .serverSentEvents: Array("retry: \(Self.retryMilliseconds)\n\n".utf8)
        }
    }

    /// Writes an event.
    func write(_ event: FeedEvent, isFirst: Bool, to json: inout JSONWriter) {
        switch self {
        case .json: if !isFirst { json.between(",".utf8) }
        case .ndjson: break
        case .serverSentEvents: json.between("id: \(event.position)\ndata: ".utf8)
        }
        json.beginObject()
        event.writeMembers(to: &json)
        json.endObject()
        switch self {
        case .json: break
        case .ndjson: json.between("\n".utf8)
        case .serverSentEvents: json.between("\n\n".utf8)
        }
    }

    /// What says that nothing has come up to a position: the reader's connection is alive, and it resumes from there.
    ///
    /// Empty in the formats of a page, which ends at once.
    func mark(_ position: Position) -> [UInt8] {
        switch self {
        case .json, .ndjson: []
        // A block without data raises no event, but its id is remembered.
        case .serverSentEvents: Array(": heartbeat\nid: \(position)\n\n".utf8)
        }
    }

    /// What comes after the last event of a page; `next` is nil at the end of the log.
    func closing(next: Position?, at position: Position) -> [UInt8] {
        switch self {
        case .json:
            let cursor = next.map { "\"\($0)\"" } ?? "null"
            return Array(#"],"next":\#(cursor),"position":\#(position)}"#.utf8)
        case .ndjson, .serverSentEvents: return []
        }
    }
}
