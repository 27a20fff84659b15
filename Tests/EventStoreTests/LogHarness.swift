import EventStore
import LedgerCore
import Postgres
import TestSupport
import Testing

extension TestDatabase {
    /// Connects in the daemon's role: it can append and read, and nothing more.
    var daemon: PostgresConfiguration {
        var session = configuration
        session.settings["role"] = "ledger_daemon"
        return session
    }

    /// Runs blocking work as the daemon, on a thread of its own.
    func asDaemon<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        let configuration = daemon
        return try await offPool {
            let connection = try Connection(configuration)
            defer { connection.close() }
            return try body(connection)
        }
    }
}

/// Appends with an appender of its own and reads back, on one connection.
final class LogHarness {
    let connection: Connection
    let reader: EventReader
    let appender = Appender()

    init(_ connection: Connection) {
        self.connection = connection
        reader = EventReader(connection)
    }

    func append(_ units: AppendUnit...) throws -> [[Appended]] { try appender.append(units, on: connection) }

    func all() throws -> [StoredEvent] { try reader.events(after: .start, limit: EventReader.pageMax) }

    func event(at position: Int64) throws -> StoredEvent {
        try #require(try reader.events(at: [Position(position)]).first)
    }

    /// Events by position.
    func events(at positions: [Position]) throws -> [Position: StoredEvent] {
        let events = try reader.events(at: positions)
        return Dictionary(uniqueKeysWithValues: events.map { ($0.event.position, $0) })
    }

    func text(at position: Int64) throws -> [UInt8]? { try reader.receivedText(of: event(at: position)) }
}

extension [Appended] {
    /// The positions, for comparison with a literal.
    var positions: [Int64] { map(\.position.rawValue) }
    var outcomes: [Appended.Outcome] { map(\.outcome) }
}

extension LogHarness {
    /// What breaks a rule of the log, in sentences; empty for a good one.
    func problems() throws -> [String] {
        let events = try all()
        let head = try reader.head()
        var problems: [String] = []
        if events.map(\.event.position.rawValue) != events.indices.map({ Int64($0 + 1) }) {
            problems.append("positions are not 1…\(events.count)")
        }
        if head.position.rawValue != Int64(events.count) { problems.append("the head stands at \(head.position)") }
        if events.map(\.event.recordedAt) != events.map(\.event.recordedAt).sorted() {
            problems.append("recorded_at decreases")
        }
        let identities = Set(events.map { Identity($0.event) })
        if identities.count != events.count { problems.append("an identity was recorded twice") }
        return problems + Self.unitProblems(events)
    }

    /// What came with a notification first stands right behind it.
    private static func unitProblems(_ events: [StoredEvent]) -> [String] {
        Dictionary(grouping: events.filter { $0.event.causedBy != nil }, by: \.event.causedBy).compactMap {
            cause,
            inner in
            guard let cause else { return nil }
            let positions = inner.map(\.event.position.rawValue)
            let expected = (1...Int64(inner.count)).map { cause.rawValue + $0 }
            return positions == expected ? nil : "the documents of \(cause) stand at \(positions)"
        }
    }

    private struct Identity: Hashable {
        var kind: EventKind
        var environment: StoreEnvironment?
        var name: String

        init(_ event: LedgerEvent) {
            kind = event.kind
            environment = event.environment
            name = event.kind == .notification ? event.notificationID?.rawValue ?? "" : "\(event.digest)"
        }
    }
}

/// The documents of one purchase, each signed and verified.
struct SamplePurchase {
    let store: SimulatedStore
    let transaction: VerifiedDocument
    let renewalInfo: VerifiedDocument

    init(_ id: String = "100", in store: SimulatedStore? = nil) throws {
        let store = try store ?? .shared()
        self.store = store
        transaction = try store.verified(.transaction(id), as: .transaction)
        renewalInfo = try store.verified(.renewalInfo(line: id), as: .renewalInfo)
    }

    static let notificationID = "9782c9c7-7e86-5239-bb46-a043b075cb4b"

    /// A notification that holds both documents, or others.
    func notification(
        _ id: String = notificationID,
        transaction: VerifiedDocument? = nil,
        renewalInfo: VerifiedDocument? = nil,
        changes: [String: Payload.Value?] = [:]
    ) throws -> VerifiedNotification {
        try store.verifiedNotification(
            .notification(
                id,
                [
                    "signedTransactionInfo": .text((transaction ?? self.transaction).text),
                    "signedRenewalInfo": .text((renewalInfo ?? self.renewalInfo).text),
                ],
                changes
            )
        )
    }

    /// The same document signed again: other signature, same payload.
    func resigned(_ document: VerifiedDocument) throws -> VerifiedDocument {
        let again = try store.verified(document.payload, as: document.kind)
        try #require(again.signature != document.signature && again.digest == document.digest)
        return again
    }
}
