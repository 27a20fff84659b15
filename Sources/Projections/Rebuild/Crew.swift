import Postgres
import Synchronization
import Threads

/// Threads that share a list of jobs, each with a database session of its own.
struct Crew: Sendable {
    /// How each session is opened.
    let configuration: PostgresConfiguration
    /// How many threads; at least 1.
    let size: Int

    /// Works through a list of jobs and returns when all threads have ended.
    /// - Parameters:
    ///   - count: how many jobs there are.
    ///   - progress: told on the calling thread what ``JobList/advance(by:)`` adds up to, now and then.
    ///   - work: called once on each thread; it takes its jobs from the list.
    /// - Throws: what the first of the jobs that failed threw.
    func share(
        _ count: Int,
        progress: (Int64) -> Void = { _ in },
        _ work: @escaping @Sendable (Connection, JobList) throws -> Void
    ) throws {
        let jobs = JobList(count: count, workers: size)
        let threads = (0..<size).map { _ in
            WorkerThread(name: "rebuild") { [configuration] in
                jobs.work {
                    let connection = try Connection(configuration)
                    defer { connection.close() }
                    try work(connection, jobs)
                }
            }
        }
        jobs.watch(progress)
        for thread in threads { thread.join() }
        if let failure = jobs.failure { throw failure }
    }
}

/// Jobs that several threads take one by one, in order; after a failure none is handed out any more.
final class JobList: Sendable {
    private struct State {
        var next = 0
        var workers: Int
        var advanced: Int64 = 0
        var failure: (job: Int, error: any Error)?
    }

    /// How much news may wait for the watcher; older news is as good.
    private static let newsMax = 1

    private let state: Mutex<State>
    private let count: Int
    private let news = Mailbox<Int64>(countMax: JobList.newsMax)

    init(count: Int, workers: Int) {
        self.count = count
        state = Mutex(State(workers: workers))
    }

    /// What the first job that failed threw.
    var failure: (any Error)? { state.withLock { $0.failure?.error } }

    /// Does jobs on the calling thread until none is left.
    func each(_ body: (Int) throws -> Void) {
        while let job = take() { attempt(job) { try body(job) } }
    }

    /// A worker's whole work; what it throws beside a job counts behind all jobs.
    func work(_ body: () throws -> Void) {
        attempt(count, body)
        let isLast = state.withLock { state in
            state.workers -= 1
            return state.workers == 0
        }
        if isLast { news.close() }
    }

    /// Notes that so much more of the work is done.
    func advance(by amount: Int64) {
        let advanced = state.withLock { state in
            state.advanced += amount
            return state.advanced
        }
        _ = news.put(advanced)
    }

    /// Tells how much of the work is done, now and then, until all workers have ended.
    func watch(_ progress: (Int64) -> Void) {
        while let latest = news.take(countMax: Self.newsMax).last { progress(latest) }
    }

    private func take() -> Int? {
        state.withLock { state in
            guard state.failure == nil, state.next < count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func attempt(_ job: Int, _ body: () throws -> Void) {
        do { try body() } catch {
            state.withLock { state in
                // Jobs are handed out in order, so whatever comes before the one that failed is done or under way.
                if state.failure.map({ job < $0.job }) ?? true { state.failure = (job, error) }
            }
        }
    }
}
