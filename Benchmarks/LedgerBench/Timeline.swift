/// When the invented customers' notifications were signed: each customer's are spread evenly, in order, over about the
/// month before an instant.
struct Timeline: Sendable {
    /// No document is signed after this, in milliseconds since 1970.
    let until: Int64
    /// The most notifications of one customer.
    let steps: Int

    private static let day: Int64 = 86_400_000

    /// The time of a customer's notification number `step` (from 0); the customer's number moves the start by up to a week.
    func time(customer: Int, step: Int) -> Int64 {
        let start = until - 35 * Self.day + Int64(customer % 1_009) * 7 * Self.day / 1_009
        let last = until - 3_600_000
        return start + (last - start) * Int64(step) / Int64(max(steps, 1))
    }
}
