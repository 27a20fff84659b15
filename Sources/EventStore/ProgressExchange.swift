internal import LedgerCore
package import Postgres
package import Threads

/// Tells other daemons how far this one has brought the log, and hears it from them, so that followers and streams wake
/// without asking the database (DESIGN.md section 4, "Following").
///
/// A thread with a session of its own. It announces after the flush, never inside an append: a transaction with a NOTIFY
/// holds a lock of the whole cluster while it commits (decision 11). Nothing that is stored depends on it: what was not
/// heard is found by looking at the head.
package final class ProgressExchange: Sendable {
    /// The least time from one announcement to the next; what comes meanwhile is announced with the last position.
    package static let announcePause: Duration = .milliseconds(5)
    /// How often the head is looked at, in case that nothing was heard.
    package static let pollInterval: Duration = .seconds(1)
    /// The pause after a failure.
    package static let failurePause: Duration = .milliseconds(500)
    /// The channel of the announcements; the payload is the last position in decimal digits.
    package static let channel = "ledger_progress"

    private let signal: WaitSignal
    private let thread: WorkerThread

    /// Starts announcing and listening; the session is opened, and opened again after a loss, on the thread.
    ///
    /// - Parameters:
    ///   - configuration: the session, which need not wait for the disk: an announcement is no promise.
    ///   - appended: how far this daemon has brought the log; each advance is announced.
    ///   - log: how far the log is known to have come, whoever appended; told of all that is heard or seen.
    ///   - pollInterval: how often the head is looked at.
    ///   - report: called with each failure, on the thread; the exchange goes on by itself.
    /// - Throws: ``DescriptorShortage`` when the process has no descriptor left to be woken by.
    package init(
        _ configuration: PostgresConfiguration,
        appended: ProgressBoard,
        log: ProgressBoard,
        pollInterval: Duration = ProgressExchange.pollInterval,
        report: @escaping @Sendable (PostgresError) -> Void
    ) throws(DescriptorShortage) {
        let signal = try WaitSignal()
        self.signal = signal
        appended.onAdvance { position in
            log.appended(upTo: position)
            signal.wake()
        }
        thread = WorkerThread(name: "log progress") {
            var session = ExchangeSession(configuration, signal, appended: appended, log: log, pollInterval)
            while !signal.isStopped {
                do throws(PostgresError) { try session.step() } catch {
                    if signal.isStopped { break }
                    report(error)
                    _ = signal.wait(for: Self.failurePause)
                }
            }
            session.close()
        }
    }

    /// Ends the exchange and returns when the thread has ended.
    package func stop() {
        signal.stop()
        thread.join()
    }
}

/// The exchange's session and what it has said; lives on the exchange's thread.
private struct ExchangeSession {
    let configuration: PostgresConfiguration
    let signal: WaitSignal
    let appended: ProgressBoard
    let log: ProgressBoard
    let pollInterval: Duration
    private var connection: Connection?
    private var announced = Position.start
    /// When the head is looked at next.
    private var looksAt = ContinuousClock.now

    init(
        _ configuration: PostgresConfiguration,
        _ signal: WaitSignal,
        appended: ProgressBoard,
        log: ProgressBoard,
        _ pollInterval: Duration
    ) {
        self.configuration = configuration
        self.signal = signal
        self.appended = appended
        self.log = log
        self.pollInterval = pollInterval
    }

    /// Announces what is new here, looks at the head when it is time, and waits for what is new here or elsewhere.
    mutating func step() throws(PostgresError) {
        let session = try open()
        try announce(on: session)
        if looksAt <= .now { try look(on: session) }
        let heard = try session.waitForNotifications(timeout: looksAt - .now, signal: signal)
        // Anybody with a session may notify: what is said is a reason to look, and not believed.
        if let last = heard.compactMap({ Int64($0.payload) }).max(), Position(last) > log.position {
            try look(on: session)
        }
    }

    mutating func close() { connection?.close() }

    private mutating func open() throws(PostgresError) -> Connection {
        if let connection, connection.isHealthy { return connection }
        let opened = try Connection(configuration, signal: signal)
        try opened.listen(ProgressExchange.channel)
        // What was announced while there was no session is lost.
        looksAt = .now
        connection = opened
        return opened
    }

    private mutating func announce(on session: Connection) throws(PostgresError) {
        let position = appended.position
        guard position > announced else { return }
        try session.query(
            Statements.announceProgress,
            [.text(ProgressExchange.channel), .text(position.description)]
        )
        announced = position
        // What this daemon appends in the meantime is announced together.
        signal.gather(for: ProgressExchange.announcePause)
    }

    private mutating func look(on session: Connection) throws(PostgresError) {
        log.appended(upTo: Position(try session.query(Statements.readHead).int64(0, 0)))
        looksAt = .now + pollInterval
    }
}
