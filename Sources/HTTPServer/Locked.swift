private import CHTTP
private import Synchronization

/// A value behind a lock that the thread sanitizer can see.
///
/// `Mutex` of Swift 6.3 works inside a library that is not instrumented: two threads that take turns with one are
/// reported as a race, and real races drown in that. The lock's own address names it to the sanitizer.
final class Locked<Value>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: sending Value) { mutex = Mutex(value) }

    /// Calls the body while no other thread is in it.
    func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        let name = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        return mutex.withLock { value in
            unsafe CHTTP_lock_taken(name)
            defer { unsafe CHTTP_lock_released(name) }
            return body(&value)
        }
    }
}
