internal import CPostgres

/// Cancels what a connection is doing, from any thread, as long as one keeps it, even past the connection's end.
///
/// It opens a second connection for the moment of the request, so it blocks: not for the cooperative pool with a
/// server far away. The statement then fails with `query_canceled`, unless it finishes first.
@safe
package final class Canceller: @unchecked Sendable {
    // Sendable, because PQcancel only reads the PGcancel ("safe to call from a signal handler", libpq manual).
    private let cancel: OpaquePointer

    init(owning cancel: OpaquePointer) { unsafe self.cancel = unsafe cancel }

    deinit { unsafe PQfreeCancel(cancel) }

    /// Asks the server to cancel the running statement; false when the request could not be delivered.
    @discardableResult
    package func cancelRunningStatement() -> Bool {
        // 256 bytes is what the manual recommends; the words are dropped, the answer is enough for the caller.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { words in
            unsafe PQcancel(cancel, words.baseAddress, 256) == 1
        }
    }
}
