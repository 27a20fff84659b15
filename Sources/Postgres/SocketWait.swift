internal import Glibc
internal import Threads

/// Waiting with `poll` for a socket, a signal or a moment, whichever comes first.
enum SocketWait {
    /// What a socket is waited for.
    struct Interest: OptionSet {
        let rawValue: Int
        static let read = Interest(rawValue: 1)
        static let write = Interest(rawValue: 2)
    }

    enum Outcome: Equatable {
        /// The socket can be read or written, or has failed (which reading will tell).
        case ready(Interest)
        case timedOut
        case woken
    }

    /// Waits for a socket (−1: for none), a signal, or a moment (nil: without end).
    static func wait(
        socket: Int32,
        for interest: Interest,
        signal: WaitSignal? = nil,
        until deadline: ContinuousClock.Instant? = nil
    ) -> Outcome {
        var events: Int16 = 0
        if interest.contains(.read) { events |= Int16(POLLIN) }
        if interest.contains(.write) { events |= Int16(POLLOUT) }
        // poll ignores negative descriptors.
        var descriptors = (
            pollfd(fd: socket, events: events, revents: 0),
            pollfd(fd: signal?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        )
        while true {
            let count = unsafe withUnsafeMutableBytes(of: &descriptors) {
                unsafe poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, milliseconds(until: deadline))
            }
            if count < 0 {
                precondition(errno == EINTR || errno == EAGAIN || errno == ENOMEM, "poll failed with errno \(errno)")
                continue
            }
            if descriptors.1.revents != 0 {
                signal?.consume()
                return .woken
            }
            if descriptors.0.revents != 0 { return .ready(Interest(revents: descriptors.0.revents)) }
            if let deadline, deadline <= .now { return .timedOut }
        }
    }

    /// The time left for `poll`, at most a day at once: its argument has 32 bits.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        return Int32(clamping: min(max((deadline - .now).wholeMilliseconds, 0), 86_400_000))
    }
}

extension SocketWait.Interest {
    /// Errors and hang-ups count as readable: the next read reports them.
    fileprivate init(revents: Int16) {
        self = []
        if revents & Int16(POLLIN | POLLERR | POLLHUP | POLLNVAL) != 0 { insert(.read) }
        if revents & Int16(POLLOUT) != 0 { insert(.write) }
    }
}
