import EventStore
import HTTPServer
import LedgerCore
import Synchronization

/// Warns of conflicts, notifications that reuse an identity with other content: one line each, at most ``linesMax`` a
/// minute.
///
/// Somebody has to look at them, but whoever can make them must not fill the disk.
final class ConflictLog: Sendable {
    /// Lines of one minute.
    static let linesMax = 10

    private let log: Log
    private let clock: @Sendable () -> MonotonicTime
    private let pace = Mutex(LogPace(linesMax: linesMax))

    init(_ log: Log, clock: @escaping @Sendable () -> MonotonicTime = { .now }) {
        self.log = log
        self.clock = clock
    }

    /// Warns of the conflicts among what a notification brought; those known before have had their line.
    func note(_ appended: [Appended], _ id: NotificationID?) {
        for event in appended where event.outcome == .conflict {
            let now = clock()
            guard let leftOut = pace.withLock({ $0.takeLine(at: now) }) else { continue }
            log.write(
                .warning,
                "a notification reuses an identity with other content",
                [
                    "event.position": "\(event.position)", "event.notificationUUID": id?.rawValue ?? "",
                    "conflicts.leftOut": "\(leftOut)",
                ]
            )
        }
    }
}
