import Testing
import Threads

@Suite(.timeLimit(.minutes(10))) struct WaitSignalTests {
    @Test func `a wake ends one wait, a stop ends every one`() throws {
        let signal = try WaitSignal()
        #expect(!signal.wait(for: .zero) && !signal.wait(for: .milliseconds(1)))
        signal.wake()
        signal.wake()
        #expect(signal.wait(for: .seconds(600)))
        #expect(!signal.wait(for: .zero), "two wakes before a wait count once")
        signal.stop()
        #expect(signal.isStopped)
        for _ in 0..<3 { #expect(signal.wait(for: .seconds(600))) }
    }

    @Test func `a wake from another thread ends a wait that has begun`() throws {
        let signal = try WaitSignal()
        let waker = WorkerThread(name: "waker") { signal.wake() }
        #expect(signal.wait(for: .seconds(600)))
        waker.join()
    }

    @Test func `wakes that come while they gather are there for the next wait`() throws {
        let signal = try WaitSignal()
        signal.wake()
        signal.gather(for: .milliseconds(1))
        #expect(signal.wait(for: .seconds(600)))
    }

    @Test(arguments: [
        (Duration.milliseconds(0), 0 as Int64), (.nanoseconds(1), 1), (.milliseconds(5), 5), (.seconds(2), 2000),
        (Duration(secondsComponent: .max, attosecondsComponent: 0), .max),
    ])
    func `milliseconds are rounded up and stop at the end`(_ duration: Duration, _ expected: Int64) {
        #expect(duration.wholeMilliseconds == expected)
    }
}
