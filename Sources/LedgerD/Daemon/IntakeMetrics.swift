import EventStore
import LedgerCore
import Synchronization

/// What came in, counted since the start; any thread counts, without a lock.
final class IntakeMetrics: Sendable {
    private final class Counter: Sendable {
        private let count = Atomic(0)

        func add() { count.wrappingAdd(1, ordering: .relaxed) }
        var value: Int { count.load(ordering: .relaxed) }
    }

    /// By the place of an outcome, which is its raw value less one.
    private let byOutcome = Appended.Outcome.allCases.map { _ in Counter() }
    /// Refusals are rarer than what is appended, and cost more: here a look-up by code is good enough.
    private let byRefusal = Dictionary(uniqueKeysWithValues: RejectionCode.allCases.map { ($0, Counter()) })

    func refused(_ code: RejectionCode) { byRefusal[code]?.add() }

    func appended(_ appended: [Appended]) {
        for event in appended { byOutcome[Int(event.outcome.rawValue) - 1].add() }
    }

    /// Events by what became of them, what never happened included.
    var outcomes: [(String, Int)] { zip(Appended.Outcome.allCases, byOutcome).map { ("\($0)", $1.value) } }

    /// Refused documents by code, codes that never came included.
    var refusals: [(String, Int)] { RejectionCode.allCases.map { ($0.rawValue, byRefusal[$0]?.value ?? 0) } }
}
