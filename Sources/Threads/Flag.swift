internal import Dispatch
internal import Synchronization

/// Something that happens once, for which one thread waits with a limit: the end of its work.
package final class Flag: Sendable {
    private let isRaisedState = Mutex(false)
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package var isRaised: Bool { isRaisedState.withLock { $0 } }

    /// Raises the flag and wakes the thread that waits; a second time does nothing.
    package func raise() {
        let isFirst = isRaisedState.withLock { isRaised in
            defer { isRaised = true }
            return !isRaised
        }
        if isFirst { semaphore.signal() }
    }

    /// Waits until the flag is raised, at most this long.
    /// - Returns: whether it is raised.
    package func wait(_ limit: Duration) -> Bool {
        if isRaised { return true }
        let (seconds, attoseconds) = limit.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        _ = semaphore.wait(timeout: .now() + .nanoseconds(nanoseconds))
        return isRaised
    }
}
