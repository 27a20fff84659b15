import LedgerCore
package import Postgres
internal import Synchronization
import Threads

/// The one writer of a daemon: a thread that keeps one append in flight and gathers the next one meanwhile, so that
/// batches grow with the load and nobody waits for a timer (DESIGN.md section 4).
package final class LedgerWriter: Sendable {
    /// Called once for each unit, on the writer's thread, after its commit is durable or has failed for good.
    package typealias Completion = @Sendable (Result<[Appended], EventStoreError>) -> Void

    /// The limits of the queue and of a batch.
    package struct Limits: Sendable {
        /// Units that wait; past it ``EventStoreError/overloaded(waiting:)``.
        package var waitingMax = 8192
        /// Bytes that wait.
        package var waitingBytesMax = 64 << 20
        /// Units of one batch.
        package var batchMax = 256
        /// Bytes of one batch.
        package var batchBytesMax = 8 << 20
        /// How long a failed connection makes the next attempts fail at once, so that senders get their 503 soon.
        package var retryPause: Duration = .milliseconds(250)

        package init() {}
    }

    private struct Waiting: Sendable {
        let unit: AppendUnit
        let completion: Completion
    }

    private let mailbox: Mailbox<Waiting>
    private let thread: WorkerThread
    private let progress: ProgressBoard
    private let counters = WriterCounters()
    private let isStopping = Atomic<Bool>(false)

    /// Starts the writer's thread; the connection is opened when the first unit comes.
    ///
    /// `progress` is told the last position of each durable batch.
    package init(_ configuration: PostgresConfiguration, limits: Limits = Limits(), progress: ProgressBoard) {
        let mailbox = Mailbox<Waiting>(countMax: limits.waitingMax, sizeMax: limits.waitingBytesMax)
        self.mailbox = mailbox
        self.progress = progress
        let counters = counters
        thread = WorkerThread(name: "ledger writer") {
            var session = Session(configuration, limits)
            while true {
                let batch = mailbox.take(countMax: limits.batchMax, sizeMax: limits.batchBytesMax)
                if batch.isEmpty { return session.close() }
                let units = batch.map(\.unit)
                let results = session.append(units)
                let appended = results.compactMap { try? $0.get() }
                let last = appended.lazy.joined().map(\.position).max()
                if let last { progress.appended(upTo: last) }
                counters.sent(units, durable: appended.count)
                for (waiting, result) in zip(batch, results) { waiting.completion(result) }
            }
        }
    }

    /// Hands a unit over; never waits.
    package func submit(_ unit: AppendUnit, completion: @escaping Completion) {
        guard mailbox.put(Waiting(unit: unit, completion: completion), size: unit.size) else {
            let isStopping = isStopping.load(ordering: .relaxed)
            return completion(.failure(isStopping ? .stopping : .overloaded(waiting: mailbox.count)))
        }
    }

    /// Units that wait now.
    package var waiting: Int { mailbox.count }

    /// What was appended since the start.
    package var counts: WriterCounters.Snapshot { counters.snapshot }

    /// Takes no more units, stores those that wait, and returns when the thread has ended.
    package func stop() {
        isStopping.store(true, ordering: .relaxed)
        mailbox.close()
        thread.join()
    }
}

/// The writer's connection and what it remembers between batches; lives on the writer's thread.
private struct Session {
    private let configuration: PostgresConfiguration
    private let limits: LedgerWriter.Limits
    private let appender = Appender()
    private var connection: Connection?
    private var lastFailure: (at: ContinuousClock.Instant, error: PostgresError)?

    init(_ configuration: PostgresConfiguration, _ limits: LedgerWriter.Limits) {
        self.configuration = configuration
        self.limits = limits
    }

    /// Appends a batch.
    ///
    /// When the connection breaks, also in the middle of a commit, the batch is sent once more on a new one: an append
    /// that had happened after all is found there and answered as what it is, a duplicate.
    ///
    /// A batch that the database refuses is tried again in halves, so that one bad unit does not take its neighbours
    /// along.
    mutating func append(_ units: [AppendUnit]) -> [Result<[Appended], EventStoreError>] {
        do throws(PostgresError) {
            do throws(PostgresError) {
                return try attempt(units).map { .success($0) }
            } catch  where error.isConnectionLost {
                return try attempt(units).map { .success($0) }
            }
        } catch {
            let failure = EventStoreError(error)
            guard case .refused = failure, units.count > 1 else { return units.map { _ in .failure(failure) } }
            let half = units.count / 2
            return append(Array(units[..<half])) + append(Array(units[half...]))
        }
    }

    private mutating func attempt(_ units: [AppendUnit]) throws(PostgresError) -> [[Appended]] {
        let connection = try open()
        do throws(PostgresError) {
            return try appender.append(units, on: connection)
        } catch {
            if error.isConnectionLost { self.connection = nil }
            throw error
        }
    }

    private mutating func open() throws(PostgresError) -> Connection {
        if let connection, connection.isHealthy { return connection }
        connection = nil
        if let lastFailure, ContinuousClock.now - lastFailure.at < limits.retryPause { throw lastFailure.error }
        do throws(PostgresError) {
            let opened = try Connection(configuration)
            connection = opened
            lastFailure = nil
            return opened
        } catch {
            lastFailure = (ContinuousClock.now, error)
            throw error
        }
    }

    mutating func close() {
        connection?.close()
        connection = nil
    }
}
