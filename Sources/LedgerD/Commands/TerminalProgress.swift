import Glibc

/// Shows how far long work is, on a terminal alone and a few times a second.
struct TerminalProgress {
    private static let interval: Duration = .milliseconds(200)

    private let isShown = isatty(STDERR_FILENO) == 1
    private var shown = ContinuousClock.now

    mutating func show(_ text: @autoclosure () -> String) {
        let now = ContinuousClock.now
        guard isShown, now - shown > Self.interval else { return }
        shown = now
        Terminal.complain(text())
    }
}
