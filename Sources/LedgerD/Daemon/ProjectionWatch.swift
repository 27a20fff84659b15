import EventStore
import HTTPServer
import Projections
import Synchronization

/// Takes what the follower reports to those who must know: `/readyz`, the metrics, and the log.
///
/// A follower that cannot go on tries again several times a second; the log gets a line when the problem is new, and
/// then one a minute.
final class ProjectionWatch: Sendable {
    private let log: Log
    private let health: Health
    private let revocations: RevocationMetrics
    private let told = Mutex<(problem: String, pace: LogPace)?>(nil)

    init(_ log: Log, health: Health, revocations: RevocationMetrics) {
        self.log = log
        self.health = health
        self.revocations = revocations
    }

    /// On the follower's thread.
    func note(_ report: Follower.Report, at now: MonotonicTime = .now) {
        switch report {
        case .advanced:
            // Also past an event that only a newer daemon could read.
            health.update {
                $0.databaseProblem = nil
                $0.projectionProblem = nil
            }
            health.answersFromProjection = true
            told.withLock { $0 = nil }
        case .discovered(let entries): revocations.note(entries)
        case .unavailable(let error):
            let problem = error.description
            health.update { $0.databaseProblem = problem }
            guard isDue(problem, at: now) else { return }
            log.write(.warning, "the projection waits for the database", ["problem": problem])
        case .stopped(let corruption):
            let problem = corruption.description
            health.update { $0.projectionProblem = problem }
            guard isDue(problem, at: now) else { return }
            log.write(
                .error,
                "the projection stopped",
                ["event.position": "\(corruption.position)", "problem": problem]
            )
        case .misshapen(let mismatch):
            let problem = mismatch.description
            health.answersFromProjection = false
            health.update { $0.projectionProblem = problem }
            guard isDue(problem, at: now) else { return }
            log.write(.error, "the projection is not of this program's shape", ["problem": problem])
        }
    }

    private func isDue(_ problem: String, at now: MonotonicTime) -> Bool {
        told.withLock { told in
            if told?.problem != problem { told = (problem, LogPace()) }
            return told?.pace.takeLine(at: now) != nil
        }
    }
}
