internal import CThreads
internal import Glibc
internal import Synchronization

/// Ends the waits of a thread from another one: once (``wake()``), or for good (``stop()``).
///
/// One thread waits, any number may wake it. What waits for a socket at the same time watches ``descriptor`` beside it.
package final class WaitSignal: Sendable {
    /// An eventfd: readable while there is something to tell.
    package let descriptor: Int32
    private let stopped = Atomic<Bool>(false)

    /// A signal that nobody has given yet.
    /// - Throws: ``DescriptorShortage`` when the process has no descriptor left.
    package init() throws(DescriptorShortage) {
        descriptor = CThreads_eventDescriptor()
        guard descriptor >= 0 else { throw DescriptorShortage(errno: errno) }
    }

    deinit { Glibc.close(descriptor) }

    /// Ends the present wait, or the next one if there is none.
    ///
    /// Several wakes before a wait count once.
    package func wake() { raise() }

    /// Ends the present wait and every later one.
    package func stop() {
        stopped.store(true, ordering: .sequentiallyConsistent)
        raise()
    }

    /// Whether ``stop()`` has been called.
    package var isStopped: Bool { stopped.load(ordering: .sequentiallyConsistent) }

    /// Waits until it is woken or stopped, or the time is over.
    /// - Returns: whether it was woken or stopped.
    package func wait(for timeout: Duration) -> Bool {
        let deadline = ContinuousClock.now + timeout
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = (deadline - .now).wholeMilliseconds
            if unsafe poll(&watched, 1, Int32(clamping: max(left, 0))) > 0 {
                consume()
                return true
            }
            // An interrupted wait goes on with the time that is left.
            if deadline <= .now { return false }
        }
    }

    /// Lets wakes gather: waits out a short pause whatever comes, and leaves what has come for the next wait.
    package func gather(for pause: Duration) {
        let (seconds, attoseconds) = pause.components
        usleep(UInt32(clamping: seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
    }

    /// Takes a wake back after it has ended a wait; a stop stays.
    package func consume() {
        guard !isStopped else { return }
        var count: UInt64 = 0
        // Nothing to read (another waiter was faster) is fine.
        unsafe withUnsafeMutableBytes(of: &count) { unsafe _ = Glibc.read(descriptor, $0.baseAddress, $0.count) }
        // A stop between the look and the read would be lost with the count.
        if isStopped { raise() }
    }

    private func raise() {
        var one: UInt64 = 1
        // The counter is full only after 2⁶⁴ − 2 signals; it is readable then, too.
        unsafe withUnsafeMutableBytes(of: &one) { unsafe _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}

/// The process or the machine has no descriptor left for a ``WaitSignal``.
package struct DescriptorShortage: Error, Sendable, CustomStringConvertible {
    /// What the system said.
    package let errno: Int32

    package var description: String {
        "There is no descriptor for a wait signal (errno \(errno)): raise the limit of open files."
    }
}
