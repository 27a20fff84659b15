/// A register that holds the value with the greatest rank; equal ranks are decided by the value, so that the result
/// does not depend on the order of arrival.
package struct Register<Rank: Comparable & Hashable & Sendable, Value: Comparable & Hashable & Sendable>: Hashable,
    Sendable
{
    package var rank: Rank
    package var value: Value

    package init(rank: Rank, value: Value) {
        self.rank = rank
        self.value = value
    }

    fileprivate func wins(over other: Self) -> Bool { rank == other.rank ? value > other.value : rank > other.rank }
}

extension Optional {
    /// Takes another observation in; a missing one changes nothing.
    package mutating func merge<Rank, Value>(_ other: Self) where Wrapped == Register<Rank, Value> {
        guard let other else { return }
        if let current = self, !other.wins(over: current) { return }
        self = other
    }
}
