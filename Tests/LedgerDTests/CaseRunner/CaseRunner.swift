import EventStore
import JWS
import LedgerCore
import Postgres
import Projections
import StoreSimulator
import Synchronization
import TestSupport
import Testing
import Threads

@testable import LedgerD

/// Delivers the steps of a case to a running daemon; used by the test's thread.
final class CaseRunner {
    /// What became of one step.
    struct StepResult: Sendable {
        var isAccepted: Bool
        /// The problem's code when it was refused.
        var code: String?
        var isRetryable = false
        /// How many events it added to the log.
        var added = 0
    }

    let bench: DaemonBench
    private(set) var daemon: RunningDaemon
    private(set) var results: [StepResult] = []
    private(set) var latestReceipt = Instant(milliseconds: 0)

    init(_ bench: DaemonBench) throws {
        self.bench = bench
        daemon = try bench.start()
    }

    func deliver(_ steps: [(step: JSONValue, receivedAt: Instant)]) throws {
        for (step, receivedAt) in steps {
            bench.clock.now = receivedAt
            latestReceipt = max(latestReceipt, receivedAt)
            let before = try LedgerState(bench.database).events.count
            guard var result = try perform(step) else { continue }
            result.added = try LedgerState(bench.database).events.count - before
            results.append(result)
        }
    }

    /// - Returns: nil for a step that delivers nothing.
    private func perform(_ step: JSONValue) throws -> StepResult? {
        let payload = step["payload"] ?? .null
        switch step["kind"]?.text {
        case "notification":
            return try underCondition(step) {
                let signed = try bench.store.notification(payload, tampering: try Tampering(step))
                return StepResult(try daemon.client().notify(signed))
            }
        case "transaction":
            let signed = try bench.store.document(payload, tampering: try Tampering(step))
            return StepResult(try daemon.client().post(transactions: [signed]))
        case "apiStatus", "apiTransactionInfo", "apiTransactionHistory", "apiRefundHistory", "apiNotificationHistory":
            try feed(payload)
            return StepResult(isAccepted: true)
        case "apiError": return nil  // a failed call brings no document
        case "concurrent":
            try performTogether(step)
            return StepResult(isAccepted: true)
        case "op":
            try operate(step["op"]?.text)
            return nil
        default:
            Issue.record("the step kind \(String(describing: step["kind"])) is not known")
            return nil
        }
    }

    /// Without its trust anchors the daemon does not start, so it acknowledges nothing: the sender finds a closed port.
    private func underCondition(_ step: JSONValue, _ deliver: () throws -> StepResult) throws -> StepResult? {
        guard step["condition"]?["trustAnchors"]?.text == "missing" else { return try deliver() }
        daemon.stop()
        var configuration = try bench.configuration()
        configuration.trustedRoots = ["/nowhere/root.cer"]
        #expect(throws: InputError.self) { _ = try Daemon(configuration, log: Log()) }
        #expect(throws: TestClient.Failure.self) { _ = try daemon.client() }
        daemon = try bench.start()
        return nil
    }

    private func operate(_ operation: String?) throws {
        switch operation {
        case "restart":
            daemon.stop()
            daemon = try bench.start()
        case "rebuildProjections":
            // Beside the running daemon, as `ledgerd rebuild` does it.
            let connection = try bench.database.connect()
            defer { connection.close() }
            let rebuild = Rebuild(connection)
            try rebuild.fold { _ in }
            #expect(try rebuild.compare(replaces: true).differing == [])
        default: Issue.record("the operation \(operation ?? "nil") is not known")
        }
    }

    // MARK: At the same time

    /// Steps that are appended together.
    ///
    /// A step that rolls back takes positions in a transaction that others wait for, and gives them back.
    private func performTogether(_ step: JSONValue) throws {
        let rolledBack = Set(step["rollback"]?.items.compactMap { $0.integer.map(Int.init) } ?? [])
        let steps = step["steps"]?.items ?? []
        let signed = try steps.indices.filter { !rolledBack.contains($0) }.map { index in
            try bench.store.notification(steps[index]["payload"] ?? .null)
        }
        let daemon = daemon
        let statuses = Mutex<[Int]>([])
        let post: @Sendable (Int) throws -> Void = { index in
            let answer = try daemon.client().notify(signed[index])
            statuses.withLock { $0.append(answer.status) }
        }
        if rolledBack.isEmpty {
            try concurrently(signed.count, post)
        } else {
            try bench.database.takingPositions(2) { waiters in
                try concurrently(signed.count, post) { try waiters() }
            }
        }
        #expect(statuses.withLock { $0 } == signed.map { _ in 200 })
    }

    // MARK: Answers of the App Store's API

    /// Takes the documents of an answer in, verified and appended as the client of the API will do it.
    private func feed(_ payload: JSONValue) throws {
        let configuration = try bench.configuration()
        let clock = bench.clock
        let verifier = try Verifier(
            roots: try TrustedRoots(entries: configuration.trustedRoots),
            apps: configuration.apps,
            clock: { clock.now }
        )
        var units: [AppendUnit] = []
        for item in payload["notificationHistory"]?.items ?? [] {
            let signed = try bench.store.notification(item["notification"] ?? .null)
            units.append(AppendUnit(try verifier.verifyNotification(signed).get(), source: .history))
        }
        for (document, kind) in Self.documents(of: payload) {
            let verified = try verifier.verify(try bench.store.document(document), as: kind).get()
            units.append(AppendUnit(verified, source: .api))
        }
        #expect(!units.isEmpty)
        let session = DaemonSessions.configuration(configuration.database)
        let connection = try Connection(session)
        defer { connection.close() }
        _ = try Appender().append(units, on: connection)
    }

    private static func documents(of payload: JSONValue) -> [(JSONValue, DocumentKind)] {
        var documents = (payload["transactions"]?.items ?? []).map { ($0, DocumentKind.transaction) }
        if let transaction = payload["transactionInfo"] { documents.append((transaction, .transaction)) }
        for item in (payload["data"]?.items ?? []).flatMap({ $0["lastTransactions"]?.items ?? [] }) {
            if let transaction = item["transactionInfo"] { documents.append((transaction, .transaction)) }
            if let renewal = item["renewalInfo"] { documents.append((renewal, .renewalInfo)) }
        }
        return documents
    }
}

extension CaseRunner.StepResult {
    init(_ answer: Answer) {
        let problem: JSONValue? = answer.status == 200 ? nil : answer["results"]?[0]?["problem"] ?? answer.json
        isAccepted = answer.status == 200
        code = problem?["code"]?.text
        isRetryable = problem?["retryable"]?.boolean ?? false
    }
}

extension TestDatabase {
    private static let takePositions = Statement(
        name: "test_take_positions",
        sql: "UPDATE ledger.head SET position = position + $1"
    )
    private static let countWaiters = Statement(
        name: "test_count_waiters",
        sql:
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid() AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())",
        isReadOnly: true
    )

    /// Runs the body beside a transaction that has taken the next positions and gives them back when another append
    /// waits for it: the body calls what it gets to let that happen.
    func takingPositions(_ count: Int64, _ body: (_ rollBackWhenOthersWait: () throws -> Void) throws -> Void) throws {
        let connection = try connect()
        defer { connection.close() }
        let observer = try connect()
        defer { observer.close() }
        try connection.execute("BEGIN")
        try connection.query(Self.takePositions, [.int8(count)])
        try body {
            try wait(until: { try observer.query(Self.countWaiters).int64(0, 0) > 0 })
            try connection.execute("ROLLBACK")
        }
    }
}
