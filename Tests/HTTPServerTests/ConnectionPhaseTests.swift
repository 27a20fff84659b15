import Testing

@testable import HTTPServer

@Suite struct ConnectionPhaseTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private static var limits: HTTPServerConfiguration {
        var limits = HTTPServerConfiguration()
        limits.idleTimeout = .seconds(5)
        limits.requestDeadline = .seconds(1)
        limits.responseDeadline = .seconds(2)
        limits.sendDeadline = .seconds(3)
        limits.stallTimeout = .seconds(4)
        return limits
    }

    @Test(
        arguments: [
            (.idle(since: start), .seconds(5), .breakOff),
            (.receiving(since: start), .seconds(1), .refuseRequest),
            (.discarding(since: start), .seconds(1), .breakOff),
            (.handling(since: start), .seconds(2), .answer),
            (.sending(since: start), .seconds(3), .breakOff),
            (.streaming(lastRead: start), .seconds(4), .breakOff),
        ] as [(ConnectionPhase, Duration, ConnectionPhase.Overdue)]
    )
    func `each phase has its own limit`(phase: ConnectionPhase, limit: Duration, overdue: ConnectionPhase.Overdue) {
        #expect(phase.overdue(at: Self.start + limit, limits: Self.limits) == nil)
        #expect(phase.overdue(at: Self.start + limit + .nanoseconds(1), limits: Self.limits) == overdue)
    }

    @Test func `a stream without anything to send may wait for ever, while its client is there`() {
        let century = Self.start + .seconds(3_000_000_000)
        #expect(ConnectionPhase.waitingForStream.overdue(at: century, limits: Self.limits) == .checkPeer)
        #expect(ConnectionPhase.broken.overdue(at: century, limits: Self.limits) == nil)
    }

    @Test func `instants do not overflow`() {
        let far = MonotonicTime(nanoseconds: .max - 1)
        #expect((far + .seconds(10_000_000_000)).nanoseconds == .max)
        #expect((MonotonicTime(nanoseconds: 0) + .milliseconds(-5)).nanoseconds == -5_000_000)
        #expect(Self.start + .seconds(1) - Self.start == .seconds(1))
    }
}
