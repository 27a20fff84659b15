import Foundation

/// Runs blocking work on a thread of its own, because the cooperative pool has only one thread per core.
///
/// The work stays in the caller's task, so that what it expects is counted to the caller's test.
package func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(ThreadPerJob.shared) { try await onPreferredExecutor(body) }
}

@concurrent
private func onPreferredExecutor<Value: Sendable>(_ body: @Sendable () throws -> Value) async throws -> Value {
    try body()
}

/// Starts a thread for each piece of work.
private final class ThreadPerJob: TaskExecutor {
    static let shared = ThreadPerJob()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { @Sendable [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        thread.name = "test work"
        thread.start()
    }
}
