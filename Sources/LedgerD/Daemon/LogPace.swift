import HTTPServer

/// Says whether a line of the log is due: at most so many in a window of time, however often there is a reason for one.
///
/// A window begins with its first line.
struct LogPace: Sendable {
    /// Lines of one window, from 1.
    let linesMax: Int
    /// How long a window lasts.
    let window: Duration

    private var windowEnds: MonotonicTime?
    private var lines = 0
    private var leftOut = 0

    /// The pace of lines of which there is none yet; a window is a minute where nothing else is said.
    init(linesMax: Int = 1, window: Duration = .seconds(60)) {
        self.linesMax = linesMax
        self.window = window
    }

    /// Notes a reason for a line.
    /// - Parameter now: the present; from several threads it may go back a little.
    /// - Returns: how many reasons were left without a line since the last one; nil when no line is due.
    mutating func takeLine(at now: MonotonicTime) -> Int? {
        if windowEnds.map({ now >= $0 }) ?? true {
            windowEnds = now + window
            lines = 0
        }
        guard lines < linesMax else {
            leftOut += 1
            return nil
        }
        lines += 1
        defer { leftOut = 0 }
        return leftOut
    }
}
