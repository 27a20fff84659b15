import Glibc
import LedgerCore
import Synchronization

/// The daemon's log: one line of JSON an entry, on standard error; constant messages, data in dotted keys, no payloads
/// and no tokens.
final class Log: Sendable {
    enum Level: String, Sendable { case info, warning, error }

    private let lock = Mutex(())
    private let descriptor: Int32

    init(descriptor: Int32 = STDERR_FILENO) { self.descriptor = descriptor }

    /// Writes an entry.
    ///
    /// The message is a constant; what varies stands in `data`, by dotted key.
    func write(_ level: Level, _ message: StaticString, _ data: KeyValuePairs<String, String> = [:]) {
        var json = JSONWriter(reservingCapacity: 256)
        json.beginObject()
        json.member("time", SystemClock.now())
        json.member("level", level.rawValue)
        json.name("message")
        json.literal(message)
        for (key, value) in data {
            json.name(escaping: key)
            json.string(value)
        }
        json.endObject()
        let line = json.bytes + [UInt8(ascii: "\n")]
        lock.withLock { _ in
            var rest = line[...]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
                guard written > 0 else { return }
                rest = rest.dropFirst(written)
            }
        }
    }
}

/// The wall clock.
enum SystemClock {
    static func now() -> Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
