import LedgerCore
import Testing

@testable import Projections

/// When a follower that stands by tries to fold.
struct StandbyTests {
    private let start = ContinuousClock.now

    private func looks(_ positions: [(at: Duration, cursor: Int64, log: Int64)]) -> [Bool] {
        var standby = Standby(Position(5), log: Position(5), now: start)
        return positions.map { look in
            let now = start + look.at
            standby = standby.seeing(Position(look.cursor), log: Position(look.log), now: now)
            return standby.isOver(now: now)
        }
    }

    @Test func `a cursor that moves is left to whoever moves it`() {
        let looks = looks((1...100).map { (.milliseconds(40 * $0), 5 + Int64($0), 1_000) })
        #expect(!looks.contains(true))
    }

    @Test func `a cursor that stands still behind the log is taken over once patience is at its end`() {
        #expect(
            looks([(.milliseconds(10), 6, 9), (.milliseconds(59), 6, 9), (.milliseconds(60), 6, 9)])
                == [false, false, true]
        )
    }

    @Test func `patience begins when there is something to fold, not when the log fell silent`() {
        #expect(
            looks([(.milliseconds(900), 5, 5), (.milliseconds(910), 5, 6), (.milliseconds(959), 5, 6)])
                == [false, false, false]
        )
    }

    @Test func `a follower that hears nothing of the log looks for itself`() {
        #expect(looks([(.milliseconds(999), 5, 5), (.seconds(1), 5, 5)]) == [false, true])
    }

    @Test func `whoever folds the last event of the log starts patience anew`() {
        #expect(
            looks([(.milliseconds(10), 5, 9), (.milliseconds(50), 9, 9), (.milliseconds(1_049), 9, 9)])
                == [false, false, false]
        )
    }
}
