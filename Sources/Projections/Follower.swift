package import EventStore
package import LedgerCore
package import Postgres
package import Threads

/// Keeps a projection up with the log: a thread that folds what was appended, woken by the board that knows how far the
/// log has come, and by looking again after a while.
///
/// Every daemon runs one. The cursor's lock lets a single one fold at a time; when its daemon dies or freezes, its
/// session ends (`idle_in_transaction_session_timeout`) and the next one goes on from the same position. A follower that
/// finds another one folding stands by: it looks at the cursor, and folds when that stands still. Two that took turns
/// would fold batches half as big, without a rest between them, which takes nearly twice the time.
package final class Follower: Sendable {
    /// What went on, for logs and metrics.
    package enum Report: Sendable {
        case advanced(to: Position)
        /// Refunds and other revocations that are believed for the first time; the catalogs that they are judged by are on
        /// the follower's shelf.
        case discovered([RegisterEntry])
        /// The database is away; tried again after the pause.
        case unavailable(EventStoreError)
        /// The projection cannot go on; somebody has to look. Nothing else stops.
        case stopped(LogCorruption)
        /// The tables are neither to be folded over nor to be read, until they are rebuilt.
        case misshapen(ShapeMismatch)
    }

    /// The longest rest after a batch that left nothing behind it.
    ///
    /// A rest is as long as the batch took, so that folding small batches takes half of the time at most: a thousand a
    /// second would cost the database more than the appends they follow.
    package static let restMax: Duration = .milliseconds(8)
    /// How often the log is looked at without being woken.
    package static let pollInterval: Duration = .milliseconds(50)
    /// How often the cursor is looked at while another daemon folds.
    package static let standbyPause: Duration = .milliseconds(5)
    /// How long the cursor may stand still behind the log before a follower that stands by tries to fold.
    package static let patience: Duration = .milliseconds(50)
    /// The same where nothing is known that could be folded.
    package static let idlePatience: Duration = .seconds(1)
    /// The pause after a failure.
    package static let failurePause: Duration = .milliseconds(250)

    private let signal: WaitSignal
    private let thread: WorkerThread

    /// Starts following.
    ///
    /// The configuration should limit idle transactions, so that a frozen follower lets go. `log` wakes the follower when
    /// the log has grown, as far as this daemon knows; `projected` is told how far the projection has come; `catalogs` is
    /// the shelf that reports are judged by. Without news the log is looked at every `pollInterval`.
    /// - Throws: ``DescriptorShortage`` when the process has no descriptor left to be woken by.
    package init(
        _ configuration: PostgresConfiguration,
        log: ProgressBoard,
        projected: ProgressBoard,
        catalogs: CatalogShelf,
        pollInterval: Duration = Follower.pollInterval,
        report: @escaping @Sendable (Report) -> Void
    ) throws(DescriptorShortage) {
        let signal = try WaitSignal()
        self.signal = signal
        log.onAdvance { _ in signal.wake() }
        thread = WorkerThread(name: "follower") {
            var session = FollowerSession(configuration, log, catalogs, pollInterval)
            while !signal.isStopped {
                let (rest, pause) = session.step { event in
                    if case .advanced(let position) = event { projected.appended(upTo: position) }
                    report(event)
                }
                if rest > .zero { signal.gather(for: rest) }
                if pause > .zero { _ = signal.wait(for: pause) }
            }
            session.close()
        }
    }

    /// Ends following and returns when the thread has ended.
    package func stop() {
        signal.stop()
        thread.join()
    }
}

/// The follower's connection between steps; lives on the follower's thread.
private struct FollowerSession {
    private let configuration: PostgresConfiguration
    private let log: ProgressBoard
    private let catalogs: CatalogShelf
    private let pollInterval: Duration
    private var connection: Connection?
    private var announced = Position.start
    /// Of the last batch; told before there is another one.
    private var discovered: [RegisterEntry] = []
    /// Set while another follower folds.
    private var standby: Standby?

    init(
        _ configuration: PostgresConfiguration,
        _ log: ProgressBoard,
        _ catalogs: CatalogShelf,
        _ pollInterval: Duration
    ) {
        self.configuration = configuration
        self.log = log
        self.catalogs = catalogs
        self.pollInterval = pollInterval
    }

    /// Folds once, or looks at what another follower has folded.
    /// - Returns: how long to rest whatever comes, and how long to wait for news then.
    mutating func step(_ report: (Follower.Report) -> Void) -> (rest: Duration, pause: Duration) {
        let began = ContinuousClock.now
        do {
            let connection = try open()
            // What was folded before a session was lost.
            try tell(on: connection, report)
            let projection = FactProjection(connection)
            if let pause = try standBy(projection, report) { return pause }
            let step = try projection.step(discovered: { discovered = $0 })
            try tell(on: connection, report)
            switch step {
            case .advanced(let position, let isCaughtUp):
                standby = nil
                announce(position, report)
                return isCaughtUp ? (min(.now - began, Follower.restMax), pollInterval) : (.zero, .zero)
            case .idle(let position):
                if standby != nil { standby = Standby(position, log: log.position) }
                announce(position, report)
                return (min(.now - began, Follower.restMax), pollInterval)
            case .busy:
                let position = try projection.position()
                announce(position, report)
                standby = Standby(position, log: log.position)
                return (Follower.standbyPause, .zero)
            }
        } catch let error as LogCorruption {
            report(.stopped(error))
            return (.zero, Follower.failurePause)
        } catch let error as ShapeMismatch {
            // Rebuilt tables may stand where these did, and that is news.
            announced = .start
            report(.misshapen(error))
            return (.zero, Follower.failurePause)
        } catch {
            connection = nil
            if let error = error as? EventStoreError { report(.unavailable(error)) }
            return (.zero, Follower.failurePause)
        }
    }

    /// Reports what was discovered, once the catalogs recorded up to there are on the shelf.
    private mutating func tell(
        on connection: Connection,
        _ report: (Follower.Report) -> Void
    ) throws(EventStoreError) {
        guard let last = discovered.map(\.discovery.position).max() else { return }
        try catalogs.fetch(upTo: last, on: connection)
        report(.discovered(discovered))
        discovered = []
    }

    /// Looks at the cursor while another follower folds; nil when this one is to fold.
    private mutating func standBy(
        _ projection: FactProjection,
        _ report: (Follower.Report) -> Void
    ) throws -> (rest: Duration, pause: Duration)? {
        guard let last = standby else { return nil }
        let position = try projection.position()
        announce(position, report)
        let seen = last.seeing(position, log: log.position)
        standby = seen
        if seen.isOver() { return nil }
        return seen.isBehind ? (Follower.standbyPause, .zero) : (.zero, pollInterval)
    }

    private mutating func announce(_ position: Position, _ report: (Follower.Report) -> Void) {
        guard position > announced else { return }
        announced = position
        report(.advanced(to: position))
    }

    private mutating func open() throws -> Connection {
        if let connection, connection.isHealthy { return connection }
        let configuration = configuration
        let opened = try eventStoreErrors { () throws(PostgresError) in try Connection(configuration) }
        connection = opened
        return opened
    }

    mutating func close() { connection?.close() }
}
