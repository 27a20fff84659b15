internal import CPostgres
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A thread that runs an actor's jobs one after the other, so that they may block.
///
/// The thread is detached and ends by itself when the executor is gone and its queue is empty.
final class ConnectionThread: SerialExecutor {
    private let inbox: Inbox

    /// - Parameter name: what the system shows; Linux keeps 15 bytes.
    init(name: String) {
        let inbox = Inbox()
        self.inbox = inbox
        let start = ThreadStart(name: String(name.prefix(15)), inbox: inbox)
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread,
            nil,
            { context in unsafe runConnectionThread(context) },
            Unmanaged.passRetained(start).toOpaque()
        )
        precondition(status == 0, "a thread could not be started (errno \(status))")
        pthread_detach(thread)
    }

    deinit { inbox.close() }

    func enqueue(_ job: consuming ExecutorJob) {
        unsafe inbox.add(Inbox.Entry(job: UnownedJob(job), executor: asUnownedSerialExecutor()))
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() {
        precondition(inbox.isCurrentThread, "this code must run on the connection's own thread")
    }
}

/// What the thread needs at its start.
private final class ThreadStart {
    let name: String
    let inbox: Inbox

    init(name: String, inbox: Inbox) {
        self.name = name
        self.inbox = inbox
    }
}

private func runConnectionThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let start = unsafe Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue()
    unsafe CPostgres_nameCurrentThread(start.name)
    start.inbox.run()
    return nil
}

/// The jobs that wait for the thread.
///
/// It outlives the executor, whose last reference can go away in a job.
private final class Inbox: Sendable {
    /// Safe, because a job keeps its actor alive, and the actor its executor.
    @safe
    struct Entry {
        let job: UnownedJob
        let executor: UnownedSerialExecutor
    }

    private struct State {
        var entries: [Entry] = []
        var isClosed = false
        var thread: pthread_t?
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    var isCurrentThread: Bool { state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }

    func add(_ entry: Entry) {
        state.withLock { $0.entries.append(entry) }
        available.signal()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        available.signal()
    }

    func run() {
        state.withLock { $0.thread = pthread_self() }
        while true {
            available.wait()
            // All that has come, in order; the surplus signals find an empty queue.
            let (entries, isClosed) = state.withLock { state in
                defer { state.entries.removeAll(keepingCapacity: true) }
                return (state.entries, state.isClosed)
            }
            for entry in entries { unsafe entry.job.runSynchronously(on: entry.executor) }
            if entries.isEmpty && isClosed { return }
        }
    }
}
