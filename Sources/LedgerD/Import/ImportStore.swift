import Dispatch
import EventStore
import LedgerCore
import Postgres
import Synchronization
import Threads

/// The ledger as an import sees it: it takes units in order, and waits for the database while it is away.
///
/// Used by one thread.
final class ImportStore {
    private let writer: LedgerWriter
    private let session: WorkSession
    private let patience: Duration
    private let stopping: Flag
    private var random = SystemRandomNumberGenerator()

    /// The longest pause between two attempts.
    private static let pauseMax: Duration = .seconds(5)

    init(_ database: PostgresConfiguration, patience: Duration, stopping: Flag) {
        writer = LedgerWriter(database, progress: ProgressBoard())
        session = WorkSession(database)
        self.patience = patience
        self.stopping = stopping
    }

    /// Units on their way into the log.
    final class Sent: Sendable {
        fileprivate let units: [AppendUnit]
        fileprivate let results: Mutex<[Result<[Appended], EventStoreError>?]>
        fileprivate let arrived = DispatchSemaphore(value: 0)

        fileprivate init(_ units: [AppendUnit]) {
            self.units = units
            results = Mutex(Array(repeating: nil, count: units.count))
        }
    }

    /// Sends units, at most those of one batch, without waiting.
    func send(_ units: [AppendUnit]) -> Sent {
        let sent = Sent(units)
        for (index, unit) in units.enumerated() {
            writer.submit(unit) { result in
                sent.results.withLock { $0[index] = result }
                sent.arrived.signal()
            }
        }
        return sent
    }

    /// Waits until all units are durable, and sends again what the database could not take.
    /// - Returns: for each unit what became of its events.
    func finish(_ sent: Sent) throws(ImportFailure) -> [[Appended]] {
        var sent = sent
        var done: [[Appended]] = []
        try untilAvailable { () throws(EventStoreError) in
            for _ in sent.units { sent.arrived.wait() }
            var left: [AppendUnit] = []
            var failure: EventStoreError?
            for (unit, result) in zip(sent.units, sent.results.withLock { $0 }) {
                switch result {
                case .success(let appended): done.append(appended)
                case .failure(let error):
                    left.append(unit)
                    failure = error.isRefusal ? error : failure ?? error
                case nil: preconditionFailure("a unit was answered without a result")
                }
            }
            guard let failure else { return }
            sent = Sent(left)
            throw failure
        } again: {
            sent = send(sent.units)
        }
        return done
    }

    /// Whether the log has a transaction of a line.
    func knowsLine(_ line: OriginalTransactionID, in environment: StoreEnvironment) throws(ImportFailure) -> Bool {
        var isKnown = false
        try untilAvailable { () throws(EventStoreError) in
            isKnown = try EventReader(try session.open()).knowsLine(line, in: environment)
        } again: {
        }
        return isKnown
    }

    func close() {
        writer.stop()
        session.close()
    }

    /// Does work that needs the database until it succeeds; while the database is away, it is tried again after longer
    /// and longer pauses.
    /// - Throws: a sentence when the patience has run out, when the import is stopped meanwhile, or at once when the
    ///   database refuses what should be possible.
    private func untilAvailable(
        _ work: () throws(EventStoreError) -> Void,
        again: () -> Void
    ) throws(ImportFailure) {
        var backoff = Backoff(first: .milliseconds(100), cap: Self.pauseMax)
        let deadline = ContinuousClock.now + patience
        while true {
            do throws(EventStoreError) { return try work() } catch {
                guard !error.isRefusal else { throw ImportFailure(error.description) }
                guard ContinuousClock.now < deadline else {
                    throw ImportFailure("The database was away for \(patience): \(error)")
                }
                guard !stopping.wait(backoff.next(using: &random)) else {
                    throw ImportFailure("The import was stopped while the database was away.")
                }
                again()
            }
        }
    }
}

extension EventStoreError {
    /// Whether somebody has to look before it can go on.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused: true
        case .unavailable, .overloaded, .stopping: false
        }
    }
}
