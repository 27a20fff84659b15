/// Whom the units of a log are about: customers by number, each with one line.
struct SlimCustomers: Hashable, Sendable {
    /// Customers with numbers below this have come.
    private(set) var count: Int
    /// One more comes with each so many events; nil: none.
    private let eventsEach: Int?
    private let countBefore: Int
    private var events = 0

    /// What one unit may bring at most (``SlimUnits``): no more than one customer comes with a unit.
    static let eventsEachMin = 3
    /// Numbers have to fit the digits of an identifier.
    static let countMax = 100_000_000

    /// A million, who are all there from the beginning.
    static let million = SlimCustomers(count: 1_000_000, eventsEach: nil)

    /// So many from an earlier part of the log (0…``countMax``), and one more with each `eventsEach` events, which are
    /// ``eventsEachMin`` or more.
    static func growing(from count: Int, eventsEach: Int) -> SlimCustomers {
        precondition(eventsEach >= eventsEachMin, "one customer at most comes with a unit")
        return SlimCustomers(count: count, eventsEach: eventsEach)
    }

    private init(count: Int, eventsEach: Int?) {
        (self.count, countBefore) = (count, count)
        self.eventsEach = eventsEach
    }

    /// Whom the next unit, of so many events, is about: the customer who comes with it, else any of those who have come.
    mutating func next(events: Int, using random: inout SplitMix64) -> Int {
        self.events += events
        if let eventsEach, countBefore + (self.events + eventsEach - 1) / eventsEach > count {
            count += 1
            return count - 1
        }
        return Int(random.next(upperBound: UInt64(count)))
    }

    /// A customer's `appTransactionId`.
    static func appTransactionID(_ number: Int) -> String { String(704_998_000_000_000_000 + number) }
}
