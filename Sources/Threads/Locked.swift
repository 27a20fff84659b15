internal import CThreads
internal import Synchronization

/// A value behind a lock that the thread sanitizer can see.
///
/// `Mutex` of Swift 6.3 works inside a library that is not instrumented: two threads that take turns with one are
/// reported as a race, and real races drown in that. The lock's own address names it to the sanitizer.
package final class Locked<Value>: Sendable {
    private let mutex: Mutex<Value>

    /// A lock around this value.
    package init(_ value: sending Value) { mutex = Mutex(value) }

    /// Calls the body while no other thread is in it.
    package func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        let name = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        return mutex.withLock { value in
            unsafe CThreads_lock_taken(name)
            defer { unsafe CThreads_lock_released(name) }
            return body(&value)
        }
    }
}
