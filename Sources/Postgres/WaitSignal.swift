internal import CPostgres
internal import Glibc
internal import Synchronization

/// Ends the waits of a blocking connection from another thread: once (`wake`), or for good (`stop`).
package final class WaitSignal: Sendable {
    /// An eventfd: readable while there is something to tell.
    let descriptor: Int32
    private let stopped = Atomic<Bool>(false)

    /// - Throws: ``PostgresError/cannotConnect(reason:state:)`` when the process has no descriptor left.
    package init() throws(PostgresError) {
        descriptor = CPostgres_eventDescriptor()
        guard descriptor >= 0 else {
            throw .cannotConnect(reason: "no descriptor for a wait signal (errno \(errno))", state: nil)
        }
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
        SocketWait.wait(socket: -1, for: [], signal: self, until: .now + timeout) == .woken
    }

    /// Takes a wake back after it has ended a wait; a stop stays.
    func consume() {
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
