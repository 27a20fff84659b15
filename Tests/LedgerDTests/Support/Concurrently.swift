import Foundation
import Glibc
import Synchronization
import Testing
import Threads

/// Runs the body on so many threads, something else on this one meanwhile, and waits for all; throws what failed first.
func concurrently(
    _ count: Int,
    _ body: @escaping @Sendable (Int) throws -> Void,
    meanwhile: () throws -> Void = {}
) throws {
    let failures = Mutex<[any Error]>([])
    let threads = (0..<count).map { number in
        WorkerThread(name: "test client") {
            do { try body(number) } catch { failures.withLock { $0.append(error) } }
        }
    }
    let result = Result { try meanwhile() }
    for thread in threads { thread.join() }
    if let failure = failures.withLock({ $0.first }) { throw failure }
    try result.get()
}

/// Looks until something that other threads bring about has happened; the limit of a minute is there for failures only.
func wait(until condition: () throws -> Bool, at location: SourceLocation = #_sourceLocation) throws {
    let limit = ContinuousClock.now + .seconds(60)
    while try !condition() {
        try #require(ContinuousClock.now < limit, "what is waited for has happened", sourceLocation: location)
        sched_yield()
    }
}
