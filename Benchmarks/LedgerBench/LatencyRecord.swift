/// How long each request took, in nanoseconds; kept whole, so that percentiles are exact.
struct LatencyRecord {
    /// Up to 4.29 s each; longer ones count as that.
    private var samples: [UInt32] = []
    private(set) var maximum = 0

    /// Past so many samples only the count and the maximum go on.
    static var samplesMax: Int { 50_000_000 }
    private(set) var count = 0

    mutating func add(nanoseconds: Int) {
        count += 1
        maximum = max(maximum, nanoseconds)
        if samples.count < Self.samplesMax { samples.append(UInt32(clamping: nanoseconds)) }
    }

    /// The smallest times within which these shares of the requests were answered, in nanoseconds.
    func percentiles(_ shares: [Double]) -> [Int] {
        guard !samples.isEmpty else { return shares.map { _ in 0 } }
        let sorted = samples.sorted()
        return shares.map { share in
            let rank = Int((share * Double(sorted.count)).rounded(.up))
            return Int(sorted[min(max(rank, 1), sorted.count) - 1])
        }
    }
}
