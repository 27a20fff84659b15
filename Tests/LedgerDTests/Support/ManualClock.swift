import LedgerCore
import Synchronization

/// A clock that stands still until a test moves it, in either direction.
final class ManualClock: Sendable {
    private let instant: Mutex<Instant>

    init(_ start: Instant = .testNow) { instant = Mutex(start) }

    var now: Instant {
        get { instant.withLock { $0 } }
        set { instant.withLock { $0 = newValue } }
    }

    /// Moves the clock on.
    func advance(days: Int64 = 0, hours: Int64 = 0, milliseconds: Int64 = 0) {
        now = now.adding(milliseconds: (days * 24 + hours) * 3_600_000 + milliseconds)
    }
}

extension Instant {
    /// The present of the tests that need no other: 2026-06-01T12:00:00Z.
    static let testNow = Instant(milliseconds: 1_780_315_200_000)

    /// As answers write it.
    var rfc3339: String { description }

    func adding(days: Int64) -> Instant { adding(milliseconds: days * 86_400_000) }
}
