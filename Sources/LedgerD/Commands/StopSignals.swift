import Glibc
import Synchronization
import Threads

/// SIGTERM, SIGINT and SIGHUP, taken by a thread of their own: blocked everywhere else, so that no system call is interrupted
/// and no handler runs between two instructions.
///
/// Make one before the first thread: threads inherit the mask.
final class StopSignals: Sendable {
    private let handler = Mutex<(@Sendable () -> Void)?>(nil)
    private let reload = Mutex<(@Sendable () -> Void)?>(nil)
    private let raisedAt = Mutex<ContinuousClock.Instant?>(nil)

    /// A signal this soon after the first is the same wish: a terminal and a wrapper both pass it on.
    private static let sameWish: Duration = .seconds(1)

    /// With `takesHangUp` SIGHUP means ``onReload(_:)``; otherwise it ends the process, as a terminal that goes away
    /// wants it.
    init(takesHangUp: Bool = false) {
        // A client that closes early must not end the daemon.
        signal(SIGPIPE, SIG_IGN)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGTERM)
        unsafe sigaddset(&set, SIGINT)
        if takesHangUp { unsafe sigaddset(&set, SIGHUP) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        let wanted = set
        // Detached by its last reference; it waits for as long as the process lives.
        _ = WorkerThread(name: "signals") { [self] in
            while true {
                var set = wanted
                var number: Int32 = 0
                guard unsafe sigwait(&set, &number) == 0 else { continue }
                if number == SIGHUP {
                    reload.withLock { $0 }?()
                    continue
                }
                let now = ContinuousClock.now
                let first = raisedAt.withLock { raisedAt in
                    defer { raisedAt = raisedAt ?? now }
                    return raisedAt
                }
                if let first {
                    // Somebody is tired of waiting.
                    if now - first > Self.sameWish { _exit(130) }
                } else {
                    handler.withLock { $0 }?()
                }
            }
        }
    }

    /// Calls back on each SIGHUP; before there is a callback it does nothing.
    func onReload(_ reload: @escaping @Sendable () -> Void) { self.reload.withLock { $0 = reload } }

    /// Calls back on the first signal to stop, also when it has come already.
    func onStop(_ stop: @escaping @Sendable () -> Void) {
        handler.withLock { $0 = stop }
        if raisedAt.withLock({ $0 }) != nil { stop() }
    }
}
