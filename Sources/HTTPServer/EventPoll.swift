private import CHTTP
private import Glibc

/// A set of watched descriptors (Linux's epoll), closed when it goes.
struct EventPoll: ~Copyable {
    private let descriptor: Int32

    /// An empty set.
    init() throws(HTTPServerError) {
        descriptor = CHTTP_epoll_create()
        guard descriptor >= 0 else { throw .noDescriptor(errno: errno) }
    }

    deinit { close(descriptor) }

    /// One descriptor's readiness.
    struct Event {
        /// What the descriptor was registered with.
        let token: UInt64
        /// What it is ready for; an error is readiness for both.
        let interest: LoopInterest
    }

    /// Watches a descriptor; false when it cannot be watched.
    func add(_ watched: Int32, for interest: LoopInterest, edgeTriggered: Bool = false, token: UInt64) -> Bool {
        CHTTP_epoll_add(descriptor, watched, flags(interest, edgeTriggered), token) == 0
    }

    /// Changes what a watched descriptor is watched for; false when it is not watched.
    func change(_ watched: Int32, for interest: LoopInterest, token: UInt64) -> Bool {
        CHTTP_epoll_change(descriptor, watched, flags(interest, false), token) == 0
    }

    /// Stops watching a descriptor; one that was closed meanwhile is forgotten already.
    func remove(_ watched: Int32) { _ = CHTTP_epoll_remove(descriptor, watched) }

    private func flags(_ interest: LoopInterest, _ edgeTriggered: Bool) -> UInt32 {
        var flags: UInt32 = 0
        if interest.contains(.read) { flags |= UInt32(CHTTP_READABLE) }
        if interest.contains(.write) { flags |= UInt32(CHTTP_WRITABLE) }
        if edgeTriggered { flags |= UInt32(CHTTP_EDGE) }
        return flags
    }

    /// Waits until something is ready or the time is over (nil: no limit), and hands each event to the body.
    func wait(atMost limit: Duration?, _ body: (Event) -> Void) {
        let capacity = Int(CHTTP_EVENTS_MAX)
        unsafe withUnsafeTemporaryAllocation(of: CHTTP_Event.self, capacity: capacity) { events in
            guard let start = events.baseAddress else { return }
            let count = unsafe CHTTP_epoll_wait(descriptor, start, limit?.wholeMilliseconds ?? -1)
            // A signal ends the wait early (-1, EINTR): that is a round without events.
            guard count > 0 else { return }
            for index in 0..<Int(count) {
                let event = unsafe events[index]
                var interest: LoopInterest = []
                if event.flags & UInt32(CHTTP_READABLE) != 0 { interest.insert(.read) }
                if event.flags & UInt32(CHTTP_WRITABLE) != 0 { interest.insert(.write) }
                body(Event(token: event.token, interest: interest))
            }
        }
    }
}

extension Duration {
    /// The milliseconds, rounded up so that a wait never ends before its time, within 0 and one minute.
    fileprivate var wholeMilliseconds: Int32 {
        let limited = min(max(self, .zero), .seconds(60))
        let (seconds, attoseconds) = limited.components
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
