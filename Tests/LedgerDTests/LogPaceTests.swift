import HTTPServer
import Testing

@testable import LedgerD

/// When a line of the log is due.
@Suite struct LogPaceTests {
    /// What is said of reasons for a line at these milliseconds.
    private static func lines(_ pace: LogPace, _ milliseconds: [Int]) -> [Int?] {
        var pace = pace
        return milliseconds.map { pace.takeLine(at: MonotonicTime(nanoseconds: 0) + .milliseconds($0)) }
    }

    @Test func `the first reason gets a line, and then one a minute, which tells how many had none`() {
        let times = [7, 7, 60_006, 60_007, 60_008, 120_006, 120_007, 500_000, 559_999, 560_000]
        #expect(Self.lines(LogPace(), times) == [0, nil, nil, 2, nil, nil, 2, 0, nil, 1])
    }

    @Test func `so many lines come at once, and the next ones when the time since the first is over`() {
        let times = [0, 500, 999, 999, 999, 1000, 1001, 1002, 1003, 3000]
        let pace = LogPace(linesMax: 3, window: .seconds(1))
        #expect(Self.lines(pace, times) == [0, 0, 0, nil, nil, 2, 0, 0, nil, 1])
    }
}
