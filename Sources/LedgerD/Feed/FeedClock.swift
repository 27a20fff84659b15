import HTTPServer
import Synchronization

/// Wakes the streams of the feed in the loop: when the log has grown, at most once in a few milliseconds, and with a sign
/// of life when nothing comes.
///
/// Confined to the loop's thread.
final class FeedClock: LoopSource {
    /// The least time between two looks at the log: each costs every stream a query, and an append must not wait for
    /// them.
    static let gatherPause: Duration = .milliseconds(4)
    /// How often a stream says that it lives: below the minute after which proxies close silent connections.
    static let heartbeatInterval: Duration = .seconds(15)

    private let streams: StreamReaders<FeedWork>
    private var wakesAt: MonotonicTime?
    private var lastWake = MonotonicTime.now
    private var beatsAt = MonotonicTime.now + heartbeatInterval

    init(_ streams: StreamReaders<FeedWork>) { self.streams = streams }

    /// The log has grown.
    func logAdvanced() {
        let now = MonotonicTime.now
        let earliest = lastWake + Self.gatherPause
        if now >= earliest { wake(now) } else { wakesAt = wakesAt ?? earliest }
    }

    var registration: LoopRegistration? { nil }

    var deadline: MonotonicTime? { streams.isEmpty ? wakesAt : min(wakesAt ?? beatsAt, beatsAt) }

    func descriptorReady(_ interest: LoopInterest) {}

    func deadlineReached() {
        let now = MonotonicTime.now
        if let wakesAt, now >= wakesAt { wake(now) }
        if now >= beatsAt {
            streams.beat()
            beatsAt = now + Self.heartbeatInterval
        }
    }

    func roundEnded() {}

    private func wake(_ now: MonotonicTime) {
        wakesAt = nil
        lastWake = now
        streams.wake()
    }
}
