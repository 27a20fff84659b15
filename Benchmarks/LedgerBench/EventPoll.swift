internal import CLoad
internal import Glibc

/// A set of watched descriptors (Linux's epoll), closed when it goes.
final class EventPoll {
    private let descriptor: Int32
    private var events = [CLoad_Event](repeating: CLoad_Event(), count: Int(CLoad_events_max))

    init() throws(BenchError) {
        descriptor = CLoad_epoll_create()
        guard descriptor >= 0 else { throw .system(doing: "make an epoll", errno: -descriptor) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches a descriptor for what can be read, and for room to write if wanted; it leaves the set when it is closed.
    func watch(_ watched: Int32, token: Int, alsoWriting: Bool, isNew: Bool) throws(BenchError) {
        let status = CLoad_epoll_watch(descriptor, watched, UInt64(token), alsoWriting ? 1 : 0, isNew ? 1 : 0)
        guard status == 0 else { throw .system(doing: "watch a connection", errno: -status) }
    }

    /// What is ready; empty after the time.
    func wait(milliseconds: Int32) throws(BenchError) -> ArraySlice<CLoad_Event> {
        let count = unsafe events.withUnsafeMutableBufferPointer { events in
            unsafe events.baseAddress.map { unsafe CLoad_epoll_wait(descriptor, $0, milliseconds) } ?? 0
        }
        guard count >= 0 else { throw .system(doing: "wait for answers", errno: -count) }
        return events[..<Int(count)]
    }
}
