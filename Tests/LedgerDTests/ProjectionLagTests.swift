import EventStore
import HTTPServer
import LedgerCore
import Synchronization
import Testing

@testable import LedgerD

/// For how long the projection is behind.
struct ProjectionLagTests {
    private let log = ProgressBoard()
    private let projected = ProgressBoard()
    private let time = Time()
    private let lag: ProjectionLag

    /// A clock that a test sets, in seconds.
    private final class Time: Sendable {
        private let seconds = Atomic<Int64>(0)

        var now: MonotonicTime { MonotonicTime(nanoseconds: seconds.load(ordering: .relaxed) * 1_000_000_000) }
        func set(_ value: Int64) { seconds.store(value, ordering: .relaxed) }
    }

    init() { lag = ProjectionLag(log: log, projected: projected) { [time] in time.now } }

    private func append(_ position: Int64, at second: Int64) {
        time.set(second)
        log.appended(upTo: Position(position))
    }

    @Test func `the oldest event that is not projected counts`() {
        #expect(lag.duration(at: time.now) == .zero)
        append(10, at: 1)
        append(20, at: 4)
        time.set(6)
        #expect(lag.duration(at: time.now) == .seconds(5))
        projected.appended(upTo: Position(9))
        #expect(lag.duration(at: time.now) == .seconds(5))
        projected.appended(upTo: Position(10))
        #expect(lag.duration(at: time.now) == .seconds(2))
        #expect(lag.positions == (Position(20), Position(10)))
        projected.appended(upTo: Position(20))
        #expect(lag.duration(at: time.now) == .zero)
    }

    @Test func `a projection that is ahead of what is known of the log is not behind`() {
        projected.appended(upTo: Position(30))
        append(20, at: 1)
        time.set(9)
        #expect(lag.duration(at: time.now) == .zero)
        #expect(lag.positions == (Position(30), Position(30)))
    }

    @Test func `however many advances wait, the oldest is kept, and the others to within a few`() {
        for number in 1...10_000 { append(Int64(number), at: Int64(number)) }
        #expect(lag.duration(at: time.now) == .seconds(9999))
        projected.appended(upTo: Position(9999))
        #expect(lag.duration(at: time.now) == .zero)
        projected.appended(upTo: Position(10_000))
        append(10_001, at: 10_001)
        time.set(10_003)
        #expect(lag.duration(at: time.now) == .seconds(2))
    }
}
