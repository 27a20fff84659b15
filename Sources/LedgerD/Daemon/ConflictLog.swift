import EventStore
import HTTPServer
import LedgerCore
import Synchronization

/// Warns of conflicts, notifications that reuse an identity with other content: one line each, at most
/// ``linesMax`` in ``window``.
///
/// Somebody has to look at them, but whoever can make them must not fill the disk.
final class ConflictLog: Sendable {
    /// Lines of one window.
    static let linesMax = 10
    /// The time after whose end lines are written again.
    static let window: Duration = .seconds(60)

    private struct State {
        var windowEnds: MonotonicTime?
        var lines = 0
        /// Conflicts without a line since the last line.
        var leftOut = 0
    }

    private let log: Log
    private let clock: @Sendable () -> MonotonicTime
    private let state = Mutex(State())

    init(_ log: Log, clock: @escaping @Sendable () -> MonotonicTime = { .now }) {
        self.log = log
        self.clock = clock
    }

    /// Warns of the conflicts among what a notification brought; those known before have had their line.
    func note(_ appended: [Appended], _ id: NotificationID?) {
        for event in appended where event.outcome == .conflict {
            guard let leftOut = takeLine() else { continue }
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

    /// The conflicts that were left out before this line; nil when there is none to be written.
    private func takeLine() -> Int? {
        let now = clock()
        return state.withLock { state in
            if state.windowEnds.map({ now >= $0 }) ?? true {
                state.windowEnds = now + Self.window
                state.lines = 0
            }
            guard state.lines < Self.linesMax else {
                state.leftOut += 1
                return nil
            }
            state.lines += 1
            defer { state.leftOut = 0 }
            return state.leftOut
        }
    }
}
