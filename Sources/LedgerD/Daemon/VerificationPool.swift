import EventStore
import Postgres
import Threads

/// The threads that verify documents: as many as cores, behind one bounded queue.
final class VerificationPool: Sendable {
    /// Work for a verification thread; it gets what the thread owns.
    typealias Job = @Sendable (VerificationThread) -> Void

    /// Requests that wait for a thread, and the bytes of their bodies.
    static let waitingMax = 4096
    static let waitingBytesMax = 48 << 20

    private let mailbox = Mailbox<Job>(countMax: waitingMax, sizeMax: waitingBytesMax)
    private let threads: [WorkerThread]

    init(threadCount: Int, database: PostgresConfiguration) {
        let mailbox = mailbox
        threads = (1...max(1, threadCount)).map { number in
            WorkerThread(name: "verify \(number)") {
                let own = VerificationThread(database)
                while let job = mailbox.take(countMax: 1).first { job(own) }
                own.close()
            }
        }
    }

    /// Hands work over; false when too much waits.
    func submit(size: Int, _ job: @escaping Job) -> Bool { mailbox.put(job, size: size) }

    /// Does what waits and ends the threads.
    func stop() {
        mailbox.close()
        for thread in threads { thread.join() }
    }
}

/// What one verification thread owns: a database connection for the rare question whether a line is known.
final class VerificationThread {
    private let configuration: PostgresConfiguration
    private var connection: Connection?

    init(_ configuration: PostgresConfiguration) { self.configuration = configuration }

    /// Runs a question on the thread's connection, which is opened when it is first needed.
    func ask<Value>(_ question: (EventReader) throws(EventStoreError) -> Value) throws(EventStoreError) -> Value {
        let reader: EventReader
        if let connection, connection.isHealthy {
            reader = EventReader(connection)
        } else {
            do throws(PostgresError) {
                let opened = try Connection(configuration)
                connection = opened
                reader = EventReader(opened)
            } catch { throw EventStoreError(error) }
        }
        return try question(reader)
    }

    func close() { connection?.close() }
}
