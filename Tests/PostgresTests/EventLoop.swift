import Glibc
import Postgres

/// The smallest event loop: one `poll` over one connection.
///
/// Confined to one thread, as the connection is.
final class EventLoop {
    let connection: NonBlockingConnection

    init(_ connection: NonBlockingConnection) { self.connection = connection }

    /// Turns until the condition holds.
    func run(until condition: () -> Bool) {
        while !condition() { turn() }
    }

    func turn() {
        connection.flush()
        var events: Int16 = 0
        if connection.wantsRead { events |= Int16(POLLIN) }
        if connection.wantsWrite { events |= Int16(POLLOUT) }
        var descriptor = pollfd(fd: connection.descriptor ?? -1, events: events, revents: 0)
        _ = poll(&descriptor, 1, milliseconds)
        let failed = descriptor.revents & Int16(POLLERR | POLLHUP) != 0
        let (readable, writable) = (descriptor.revents & Int16(POLLIN) != 0, descriptor.revents & Int16(POLLOUT) != 0)
        if readable || writable || failed { connection.ready(readable: readable || failed, writable: writable) }
        if let deadline = connection.nextDeadline, deadline <= .now { connection.tick(.now) }
    }

    private var milliseconds: Int32 {
        guard let deadline = connection.nextDeadline else { return -1 }
        let left = (deadline - .now).components
        return Int32(max(0, left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1))
    }
}
