internal import LedgerCore

extension LoadResult {
    /// Writes the members that every load test has: count, seconds, perSecond, latencies in microseconds, and what the client
    /// itself has cost.
    func writeMembers(to writer: inout JSONWriter) {
        let times = latencies.percentiles([0.5, 0.99])
        writer.member("count", latencies.count)
        writer.name("seconds")
        writer.raw(Self.decimal(nanoseconds / 1_000_000).utf8)
        writer.member("perSecond", perSecond)
        writer.member("p50Microseconds", times[0] / 1_000)
        writer.member("p99Microseconds", times[1] / 1_000)
        writer.member("maxMicroseconds", latencies.maximum / 1_000)
        writer.name("clientCPUSeconds")
        writer.raw(Self.decimal(cpuNanoseconds / 1_000_000).utf8)
        writer.member("retries", retries)
        writer.member("givenUp", givenUp)
        writer.member("reconnects", reconnects)
    }

    /// Answers a second.
    var perSecond: Int { nanoseconds > 0 ? latencies.count * 1_000_000_000 / nanoseconds : 0 }

    /// Thousandths as a decimal number.
    private static func decimal(_ thousandths: Int) -> String {
        let fraction = String(thousandths % 1_000)
        return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
