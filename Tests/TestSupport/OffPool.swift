import Foundation

/// Runs blocking work on a thread of its own, because the cooperative pool has only one thread per core.
///
/// ``TestDatabase/current`` is the same there.
package func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let database = TestDatabase.scoped
    return try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { @Sendable in
            continuation.resume(with: Result { try TestDatabase.$scoped.withValue(database) { try body() } })
        }
        thread.name = "test work"
        thread.start()
    }
}
