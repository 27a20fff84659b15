internal import Glibc
internal import Synchronization

/// A named thread for work that blocks: the cooperative pool has one thread a core and must not wait for a database or
/// a signature.
package final class WorkerThread: Sendable {
    private let thread: Mutex<pthread_t?>

    /// Starts the thread; `body` runs on it once.
    ///
    /// The system shows the name; Linux keeps 15 bytes of it.
    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        let start = Start(name: String(name.prefix(15)), body: body)
        var created = pthread_t()
        let status = unsafe pthread_create(
            &created,
            nil,
            { unsafe runWorkerThread($0) },
            Unmanaged.passRetained(start).toOpaque()
        )
        precondition(status == 0, "a thread could not be started (errno \(status))")
        thread = Mutex(created)
    }

    /// Waits until the thread has ended; a second call returns at once.
    package func join() {
        let waited = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let waited { pthread_join(waited, nil) }
    }

    deinit { if let left = thread.withLock({ $0 }) { pthread_detach(left) } }
}

private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private func runWorkerThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
    nameCurrentThread(start.name)
    start.body()
    return nil
}

/// glibc's own function for it is hidden behind a macro that Swift does not see; the kernel takes the name as a file.
private func nameCurrentThread(_ name: String) {
    let descriptor = unsafe open("/proc/thread-self/comm", O_WRONLY)
    guard descriptor >= 0 else { return }
    var bytes = Array(name.utf8)
    _ = unsafe write(descriptor, &bytes, bytes.count)
    close(descriptor)
}
