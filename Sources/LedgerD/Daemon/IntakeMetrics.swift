import EventStore
import LedgerCore
import Synchronization

/// What came in, counted since the start.
final class IntakeMetrics: Sendable {
    private struct Counts {
        var refused: [RejectionCode: Int] = [:]
        var outcomes: [Appended.Outcome: Int] = [:]
    }

    private let counts = Mutex(Counts())

    func refused(_ code: RejectionCode) { counts.withLock { $0.refused[code, default: 0] += 1 } }

    func appended(_ appended: [Appended]) {
        counts.withLock { counts in for event in appended { counts.outcomes[event.outcome, default: 0] += 1 } }
    }

    var snapshot: (refused: [RejectionCode: Int], outcomes: [Appended.Outcome: Int]) {
        counts.withLock { ($0.refused, $0.outcomes) }
    }
}
