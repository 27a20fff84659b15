import Postgres
import TestSupport
import Testing

struct BackoffTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `waits double up to the cap, each between half and all of its step`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let first = Duration.milliseconds(.random(in: 1...500, using: &generator))
        let cap = first * Int.random(in: 1...1_000, using: &generator)
        var backoff = Backoff(first: first, cap: cap)
        var step = first
        for attempt in 0..<100 {
            let wait = backoff.next(using: &generator)
            #expect(wait >= step / 2 && wait <= step, "seed \(seed), attempt \(attempt)")
            step = min(step * 2, cap)
        }
        #expect(backoff.attempts == 100)
        backoff.reset()
        #expect(backoff.next(using: &generator) <= first)
    }

    @Test func `the same seed gives the same waits, another seed others`() {
        func waits(_ seed: UInt64) -> [Duration] {
            var (backoff, generator) = (Backoff(), SeededGenerator(seed: seed))
            return (0..<20).map { _ in backoff.next(using: &generator) }
        }
        #expect(waits(1) == waits(1))
        #expect(waits(1) != waits(2))
    }
}
