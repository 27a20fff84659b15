/// A query that waits for its answer, and who is to get it.
struct PendingQuery {
    let query: Query
    let completion: (Result<Rows, PostgresError>) -> Void
    /// Until when it may wait to be sent.
    let deadline: ContinuousClock.Instant
}

/// The queries that have not been sent, oldest first.
///
/// Taking from the front costs nothing per element that stays.
struct PendingQueue {
    private var elements: [PendingQuery] = []
    private var head = 0

    var count: Int { elements.count - head }
    var first: PendingQuery? { head < elements.count ? elements[head] : nil }

    mutating func append(_ element: PendingQuery) { elements.append(element) }

    /// Puts queries back that were taken but not run, in their order.
    mutating func prepend(_ returned: [PendingQuery]) {
        elements.replaceSubrange(0..<head, with: returned)
        head = 0
    }

    /// Takes up to `limit` from the front, as long as the condition holds.
    mutating func take(_ limit: Int, while condition: (PendingQuery) -> Bool = { _ in true }) -> [PendingQuery] {
        var end = head
        while end < elements.count, end - head < limit, condition(elements[end]) { end += 1 }
        let taken = Array(elements[head..<end])
        head = end
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > elements.count / 2 {
            // Moving what stays, which is less than what has been taken since the last time.
            elements.removeFirst(head)
            head = 0
        }
        return taken
    }
}
