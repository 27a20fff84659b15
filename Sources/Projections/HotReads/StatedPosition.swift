package import LedgerCore
import Synchronization

/// The greatest position that an answer of this daemon about the present has stated, by whichever loop.
package final class StatedPosition: Sendable {
    private let highest = Atomic<Int64>(Position.start.rawValue)

    /// Nothing was stated yet.
    package init() {}

    /// What was stated by now.
    package var position: Position { Position(highest.load(ordering: .acquiring)) }

    /// An answer states a position.
    package func note(_ position: Position) {
        // Nearly always it was stated before: a look is cheaper than to write what other loops look at.
        if position > self.position { highest.max(position.rawValue, ordering: .acquiringAndReleasing) }
    }
}
