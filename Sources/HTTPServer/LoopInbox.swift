private import CHTTP
private import Glibc
private import Synchronization

/// What other threads hand to the loop: one queue, and one wake-up for however much is in it.
final class LoopInbox: Sendable {
    /// Something for the loop to do.
    enum Item: Sendable {
        /// An answer whose responder was used on another thread.
        case answer(Response, Connection, ticket: UInt64)
        /// A stream has bytes for a reader that waits.
        case streamReady(Connection, ticket: UInt64)
        /// Work for the loop's thread.
        case work(@Sendable () -> Void)
        /// The server is to stop.
        case stop
    }

    private struct Queue {
        var items: [Item] = []
        var workCount = 0
        var isClosed = false
    }

    /// The pieces of work that may wait.
    ///
    /// Answers and streams need no limit of their own: each connection has at most one of either waiting.
    static let workMax = 65_536

    private let queue = Mutex(Queue())

    /// The event counter that the loop watches, edge-triggered: it is never read, so waking costs one system call.
    let descriptor: Int32

    init() throws(HTTPServerError) {
        descriptor = CHTTP_eventfd()
        guard descriptor >= 0 else { throw .noDescriptor(errno: errno) }
    }

    deinit { Glibc.close(descriptor) }

    /// Puts an item at the end; false when there is no room for more work, or the loop has ended.
    @discardableResult
    func put(_ item: Item) -> Bool {
        let (isTaken, isFirst) = queue.withLock { queue in
            guard !queue.isClosed else { return (false, false) }
            if case .work = item {
                guard queue.workCount < Self.workMax else { return (false, false) }
                queue.workCount += 1
            }
            queue.items.append(item)
            return (true, queue.items.count == 1)
        }
        if isFirst { CHTTP_eventfd_signal(descriptor) }
        return isTaken
    }

    /// Everything that waits, in order; the next item wakes the loop again.
    func takeAll() -> [Item] {
        queue.withLock { queue in
            defer {
                queue.items = []
                queue.workCount = 0
            }
            return queue.items
        }
    }

    /// Takes what waits, and refuses what comes later.
    func close() -> [Item] {
        queue.withLock { queue in queue.isClosed = true }
        return takeAll()
    }
}
