import HTTPServer
import LedgerCore
import Synchronization

/// Subscriptions whose last status by Apple is not ours at its signing: counted, and logged now and then (PROTOCOL.md
/// section 8.3, at its end).
final class StatusFindings: Sendable {
    private struct State {
        var count = 0
        /// The same customer may be asked for thousands of times.
        var pace = LogPace()
    }

    private let log: Log
    private let state = Mutex(State())

    init(_ log: Log) { self.log = log }

    /// How often an answer held one, since the start.
    var count: Int { state.withLock { $0.count } }

    /// Looks at an answer about the present.
    func note(_ set: EntitlementSet, at now: MonotonicTime = .now) {
        for subscription in set.subscriptions where subscription.agreesWithApple == false {
            let (count, isDue) = state.withLock { state in
                state.count += 1
                return (state.count, state.pace.takeLine(at: now) != nil)
            }
            guard isDue else { continue }
            log.write(
                .warning,
                "the App Store's status differs from ours",
                [
                    "subscription.originalTransactionId": subscription.facts.line.originalTransactionID.rawValue,
                    "subscription.status": "\(subscription.state.status.rawValue)",
                    "apple.status": subscription.facts.line.appleStatus.map { "\($0.value)" } ?? "",
                    "findings.count": "\(count)",
                ]
            )
        }
    }
}
