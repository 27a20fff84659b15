/// Whether the positions in the answers fit together: each recorded notification and its inner documents, all new, take
/// a range of their own; the ranges follow each other without a hole, and a duplicate names the position of the first.
///
/// It holds only while nobody else writes and no document of the load was known before.
struct PositionCheck {
    /// The last position that each recorded line has brought.
    private var recorded: [Int: Int64] = [:]
    private var duplicates: [(line: Int, position: Int64)] = []
    private(set) var minimum: Int64 = .max
    private(set) var maximum: Int64 = 0

    static var duplicatesMax: Int { 10_000_000 }

    mutating func add(_ answer: PostAnswer, line: Int, problems: inout Tally) {
        minimum = min(minimum, answer.position)
        maximum = max(maximum, answer.position)
        switch answer.outcome {
        case .recorded:
            if let earlier = recorded.updateValue(answer.position, forKey: line) {
                problems.add("line \(line + 1) was recorded twice, at \(earlier) and \(answer.position)")
            }
        case .duplicate: if duplicates.count < Self.duplicatesMax { duplicates.append((line, answer.position)) }
        }
    }

    /// Judges all answers; `documents` says how many documents a line brings.
    func judge(documents: (Int) -> Int, problems: inout Tally) {
        var next: Int64?
        for (line, last) in recorded.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            let first = last - Int64(documents(line)) + 1
            if let next, first != next {
                problems.add("line \(line + 1) was said to take \(first) to \(last), but \(next) comes next")
            }
            if first < 1 {
                problems.add("line \(line + 1) was said to end at \(last) with \(documents(line)) documents")
            }
            next = last + 1
        }
        for (line, position) in duplicates where recorded[line] != position {
            let known = recorded[line].map { "\($0)" } ?? "none"
            problems.add("line \(line + 1) is a duplicate of \(position), but was recorded at \(known)")
        }
    }
}
