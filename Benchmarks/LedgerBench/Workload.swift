/// What a load test asks, and what it makes of the answers.
protocol Workload {
    /// Appends the bytes of the next request for a target and returns the number by which ``receive(_:status:body:at:)`` will know
    /// it; nil when nothing is left to ask there.
    mutating func appendRequest(target: Int, to bytes: inout [UInt8]) -> Int?

    /// Judges the answer to a request.
    mutating func receive(_ request: Int, status: Int, bytes: [UInt8], body: Range<Int>) -> Judgement
}

/// What becomes of a request after an answer.
enum Judgement: Hashable {
    case done
    /// The server could not take it now; it is sent again after a while.
    case again
}
