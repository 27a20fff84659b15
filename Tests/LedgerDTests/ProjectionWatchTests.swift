import HTTPServer
import LedgerCore
import Projections
import TestSupport
import Testing

@testable import EventStore
@testable import LedgerD

/// What is told of a projection that does not go on.
@Suite struct ProjectionWatchTests {
    private static func stopped(_ position: Int64) -> Follower.Report {
        .stopped(LogCorruption(position: Position(position), finding: .missingEvent))
    }

    @Test func `the log gets a line when a problem is new and one a minute, readyz knows it all the time`() throws {
        let file = try LogFile()
        let health = Health()
        let watch = ProjectionWatch(
            file.log,
            health: health,
            revocations: RevocationMetrics(catalogs: CatalogShelf(initial: .empty))
        )
        let start = MonotonicTime.now
        let reports: [(Int, Follower.Report)] = [
            (0, Self.stopped(3)), (250, Self.stopped(3)), (59_999, Self.stopped(3)), (60_000, Self.stopped(3)),
            (60_250, Self.stopped(5)), (60_500, .advanced(to: Position(5))), (60_750, Self.stopped(5)),
        ]
        for (milliseconds, report) in reports {
            watch.note(report, at: start + .milliseconds(milliseconds))
            var problem: String?
            if case .stopped(let corruption) = report { problem = corruption.description }
            #expect(health.snapshot.projectionProblem == problem)
        }
        let lines = try file.lines()
        #expect(lines.map { $0["event.position"]?.text } == ["3", "3", "5", "5"])
        #expect(lines.allSatisfy { $0["level"]?.text == "error" })
    }
}
