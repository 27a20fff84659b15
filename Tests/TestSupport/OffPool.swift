import Foundation

/// Runs blocking work on a thread of its own, because the cooperative pool has only one thread per core.
package func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { @Sendable in continuation.resume(with: Result { try body() }) }
        thread.name = "test work"
        thread.start()
    }
}
