import EventStore
import LedgerCore
import Postgres
import TestSupport

/// What lies in the log of a test's database, read past the daemon.
struct LedgerState: Sendable {
    let events: [StoredEvent]

    /// The most events that a test looks at.
    private static let eventsMax: Int64 = 100_000

    init(_ database: TestDatabase) throws {
        let connection = try database.connect()
        defer { connection.close() }
        let reader = EventReader(connection)
        var events: [StoredEvent] = []
        while true {
            let page = try reader.events(after: events.last?.event.position ?? .start, limit: EventReader.pageMax)
            events += page
            if page.isEmpty || events.count > Self.eventsMax { break }
        }
        self.events = events
    }

    var positions: [Int64] { events.map(\.event.position.rawValue) }

    func events(of kind: EventKind) -> [LedgerEvent] { events.map(\.event).filter { $0.kind == kind } }

    /// How many events of each kind there are.
    var counts: [EventKind: Int] { Dictionary(events.map { ($0.event.kind, 1) }, uniquingKeysWith: +) }

    var isEmpty: Bool { events.isEmpty }

    /// The signed documents exactly as they were received.
    static func receivedTexts(_ database: TestDatabase) throws -> [[UInt8]?] {
        let connection = try database.connect()
        defer { connection.close() }
        let reader = EventReader(connection)
        return try LedgerState(database).events.map { try reader.receivedText(of: $0) }
    }
}

extension TestDatabase {
    /// Runs statements as the superuser.
    func execute(_ sql: String) throws {
        let connection = try connect()
        defer { connection.close() }
        try connection.execute(sql)
    }
}
