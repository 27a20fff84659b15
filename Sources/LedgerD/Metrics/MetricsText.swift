import HTTPServer

/// Writes metrics as OpenMetrics text (OpenMetrics 1.0, "Text format"): families one after the other, each with its
/// TYPE, UNIT and HELP before its samples.
struct MetricsText {
    /// The content type of the text.
    static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    /// A label of a sample; names and values are constants of ours.
    typealias Label = (name: String, value: String)

    private var text = ""

    init() { text.reserveCapacity(16_384) }

    /// The whole text, ended as the format asks.
    var bytes: [UInt8] { Array((text + "# EOF\n").utf8) }

    /// A value that goes up and down.
    mutating func gauge(_ name: String, unit: String? = nil, _ help: String, _ value: some BinaryInteger) {
        begin(name, "gauge", unit, help)
        sample(name, [], "\(value)")
    }

    /// A duration that goes up and down, in seconds; `name` ends in `_seconds`.
    mutating func gauge(_ name: String, _ help: String, _ value: Duration) {
        begin(name, "gauge", "seconds", help)
        sample(name, [], Self.seconds(value))
    }

    /// Values that go up and down, by one label.
    mutating func gauges(_ name: String, _ help: String, by label: String, _ values: [(String, Int)]) {
        begin(name, "gauge", nil, help)
        for (value, number) in values { sample(name, [(label, value)], "\(number)") }
    }

    /// A number that only grows; the sample's name gets `_total`.
    mutating func counter(_ name: String, unit: String? = nil, _ help: String, _ value: Int) {
        begin(name, "counter", unit, help)
        sample("\(name)_total", [], "\(value)")
    }

    /// Numbers that only grow, by one label.
    mutating func counters(_ name: String, _ help: String, by label: String, _ values: [(String, Int)]) {
        begin(name, "counter", nil, help)
        for (value, number) in values { sample("\(name)_total", [(label, value)], "\(number)") }
    }

    /// Latencies by labels, in seconds; `name` ends in `_seconds`.
    mutating func histograms(_ name: String, _ help: String, _ values: [([Label], LatencyHistogram.Snapshot)]) {
        begin(name, "histogram", "seconds", help)
        for (labels, snapshot) in values {
            let bounds = snapshot.bounds.map(Self.seconds) + ["+Inf"]
            var cumulated = 0
            for (bound, count) in zip(bounds, snapshot.counts) {
                cumulated += count
                sample("\(name)_bucket", labels + [("le", bound)], "\(cumulated)")
            }
            sample("\(name)_count", labels, "\(cumulated)")
            sample("\(name)_sum", labels, Self.seconds(snapshot.sum))
        }
    }

    private mutating func begin(_ name: String, _ type: String, _ unit: String?, _ help: String) {
        text += "# TYPE \(name) \(type)\n"
        if let unit { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(help)\n"
    }

    private mutating func sample(_ name: String, _ labels: [Label], _ value: String) {
        let list = labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(list)} \(value)\n"
    }

    /// A duration as seconds, exact to the microsecond.
    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let fraction = String(1_000_000 + attoseconds / 1_000_000_000_000).dropFirst()
        return "\(seconds).\(fraction)"
    }
}
