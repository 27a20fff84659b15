import HTTPServer
import Synchronization
import Threads

/// Wakes the streams that a daemon serves: when there is news for them, and now and then besides.
///
/// It has a thread of its own, which outlives the loops: the connections of streams are in all of them, and a stream must
/// be told to give up also when its loop is the last one that has something to do.
final class StreamClock: Sendable {
    /// The least time between two looks of the feed at the log: each costs every stream a query, and an append must not
    /// wait for them.
    static let gatherPause: Duration = .milliseconds(4)
    /// How often a stream of the feed says that it lives: below the minute after which proxies close silent connections.
    static let heartbeatInterval: Duration = .seconds(15)
    /// How often readers of registers that wait for the projection look without news: so that they give up in time, and
    /// see what another daemon has folded.
    static let lookAgain: Duration = .milliseconds(50)
    /// How long it sleeps while nobody is served.
    private static let idleMax: Duration = .seconds(60)

    private struct News {
        var logHasGrown = false
        var projectionHasMoved = false
    }

    private let feed: StreamReaders<FeedWork>
    private let registers: StreamReaders<RegisterWork>
    private let signal: WaitSignal
    private let news = Mutex(News())

    /// - Throws: `DescriptorShortage`.
    init(feed: StreamReaders<FeedWork>, registers: StreamReaders<RegisterWork>) throws(DescriptorShortage) {
        let signal = try WaitSignal()
        self.feed = feed
        self.registers = registers
        self.signal = signal
        feed.whenFirstComes { signal.wake() }
        registers.whenFirstComes { signal.wake() }
    }

    /// The log has grown.
    func logAdvanced() {
        // A stream that comes after this look finds the news by itself.
        guard !feed.isEmpty else { return }
        news.withLock { $0.logHasGrown = true }
        signal.wake()
    }

    /// The projection has moved.
    func projectionAdvanced() {
        guard !registers.isEmpty else { return }
        news.withLock { $0.projectionHasMoved = true }
        signal.wake()
    }

    /// Runs the clock while the body runs.
    func run(during body: () -> Void) {
        let thread = WorkerThread(name: "stream clock") { [self] in tick() }
        body()
        signal.stop()
        thread.join()
    }

    private func tick() {
        var feedWokenAt = MonotonicTime.now
        var feedIsDue = false
        var beatsAt: MonotonicTime?
        var looksAt: MonotonicTime?
        while !signal.isStopped {
            let now = MonotonicTime.now
            let news = news.withLock { news in
                defer { news = News() }
                return news
            }
            feedIsDue = feedIsDue || news.logHasGrown
            if feedIsDue, now >= feedWokenAt + Self.gatherPause {
                feed.wake()
                feedIsDue = false
                feedWokenAt = now
            }
            if let due = beatsAt, now >= due { feed.beat() }
            beatsAt = feed.isEmpty ? nil : next(beatsAt, now, Self.heartbeatInterval)
            if let due = looksAt, news.projectionHasMoved || now >= due {
                registers.wake()
                looksAt = nil
            }
            looksAt = registers.isEmpty ? nil : next(looksAt, now, Self.lookAgain)
            let wakesAt = feedIsDue ? feedWokenAt + Self.gatherPause : nil
            let due = [wakesAt, beatsAt, looksAt].compactMap(\.self).min()
            _ = signal.wait(for: due.map { $0 - .now } ?? Self.idleMax)
        }
    }

    /// When something is due that comes again and again: as planned, or after an interval.
    private func next(_ planned: MonotonicTime?, _ now: MonotonicTime, _ interval: Duration) -> MonotonicTime {
        guard let planned, planned > now else { return now + interval }
        return planned
    }
}
