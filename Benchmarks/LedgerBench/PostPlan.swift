/// Which line is sent to which target, in which order.
struct PostPlan {
    /// Line numbers, for each target.
    let queues: [[Int32]]
    let count: Int

    /// The lines in the order of the file, or shuffled, dealt out to the targets in turn.
    ///
    /// With `repeatEvery`, each so-manieth line is sent twice, the second time to the next target: by turns right after
    /// the first, so that both are under way together, and at the end, when the first is history.
    init(lines: Int, targets: Int, shuffleSeed: UInt64?, repeatEvery: Int?) {
        var order = (0..<Int32(lines)).map { $0 }
        if let shuffleSeed {
            var random = SplitMix64(seed: shuffleSeed)
            order.shuffle(using: &random)
        }
        var queues = [[Int32]](repeating: [], count: targets)
        var late: [(line: Int32, target: Int)] = []
        for (index, line) in order.enumerated() {
            queues[index % targets].append(line)
            guard let repeatEvery, index % repeatEvery == 0 else { continue }
            let target = (index + 1) % targets
            if index / repeatEvery % 2 == 0 { queues[target].append(line) } else { late.append((line, target)) }
        }
        for (line, target) in late { queues[target].append(line) }
        self.queues = queues
        count = queues.reduce(0) { $0 + $1.count }
    }
}
