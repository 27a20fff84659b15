import EventStore
import Postgres
import Threads

/// Threads for work that takes a core or waits for the database, behind one bounded queue.
final class WorkPool: Sendable {
    /// Work for a thread of the pool; it gets what the thread owns.
    typealias Job = @Sendable (WorkSession) -> Void

    /// Requests that wait for a thread, and the bytes of their bodies.
    static let waitingMax = 4096
    static let waitingBytesMax = 48 << 20

    private let mailbox = Mailbox<Job>(countMax: waitingMax, sizeMax: waitingBytesMax)
    private let threads: [WorkerThread]

    /// Starts the threads; each is called by this name and a number.
    init(_ name: String, threadCount: Int, database: PostgresConfiguration) {
        let mailbox = mailbox
        threads = (1...max(1, threadCount)).map { number in
            WorkerThread(name: "\(name) \(number)") {
                let own = WorkSession(database)
                while let job = mailbox.take(countMax: 1).first { job(own) }
                own.close()
            }
        }
    }

    /// Hands work over; false when too much waits.
    func submit(size: Int, _ job: @escaping Job) -> Bool { mailbox.put(job, size: size) }

    /// Work that waits for a thread now.
    var waiting: Int { mailbox.count }

    /// Does what waits and ends the threads.
    func stop() {
        mailbox.close()
        for thread in threads { thread.join() }
    }
}

/// What one thread of a pool owns: a database connection, opened when it is first needed.
final class WorkSession {
    private let configuration: PostgresConfiguration
    private var connection: Connection?

    init(_ configuration: PostgresConfiguration) { self.configuration = configuration }

    /// The thread's connection.
    func open() throws(EventStoreError) -> Connection {
        if let connection, connection.isHealthy { return connection }
        do throws(PostgresError) {
            let opened = try Connection(configuration)
            connection = opened
            return opened
        } catch { throw EventStoreError(error) }
    }

    func close() { connection?.close() }
}
