/// An OpenMetrics text, taken apart strictly: whatever the format forbids of what a daemon could write is an error.
struct MetricsReading {
    /// What stands above the samples of a family.
    struct Family: Equatable {
        var type: String
        var unit: String?
        var help: String?
    }

    /// What is wrong, and with which line.
    struct Failure: Error, Equatable {
        let sentence: String
        let line: String
    }

    private(set) var families: [String: Family] = [:]
    private(set) var samples: [String: Double] = [:]
    /// The buckets of the histogram that is being read, by its other labels.
    private var buckets: [String: [(bound: Double, count: Double)]] = [:]
    private var current = ""

    init(_ text: String) throws(Failure) {
        guard text.hasSuffix("\n# EOF\n") else { throw Failure(sentence: "The end is missing.", line: "") }
        for line in text.dropLast("# EOF\n".count).split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("# ") { try describe(String(line)) } else { try sample(String(line)) }
        }
        for (name, family) in families where family.help == nil {
            throw Failure(sentence: "A family has no HELP.", line: name)
        }
    }

    /// The value of a sample, written as in the text: `name` or `name{label="value"}`.
    subscript(sample: String) -> Double? { samples[sample] }

    private mutating func describe(_ line: String) throws(Failure) {
        let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
        guard parts.count == 4 else { throw Failure(sentence: "No metadata.", line: line) }
        let (keyword, name, value) = (parts[1], parts[2], parts[3])
        if keyword == "TYPE" {
            guard families[name] == nil else { throw Failure(sentence: "A family comes twice.", line: line) }
            guard ["gauge", "counter", "histogram"].contains(value) else {
                throw Failure(sentence: "An unknown type.", line: line)
            }
            guard !name.hasSuffix("_total") else { throw Failure(sentence: "_total is a sample's.", line: line) }
            families[name] = Family(type: value)
            (current, buckets) = (name, [:])
            return
        }
        guard name == current else { throw Failure(sentence: "Metadata outside its family.", line: line) }
        switch keyword {
        case "UNIT":
            guard name.hasSuffix("_\(value)") else {
                throw Failure(sentence: "The unit is not in the name.", line: line)
            }
            families[name]?.unit = value
        case "HELP": families[name]?.help = value
        default: throw Failure(sentence: "An unknown keyword.", line: line)
        }
    }

    private mutating func sample(_ line: String) throws(Failure) {
        guard let match = line.wholeMatch(of: /([a-z_]+)(?:\{(.+)\})? ([0-9.]+)/), let value = Double(match.3)
        else {
            throw Failure(sentence: "No sample.", line: line)
        }
        let name = String(match.1)
        let labels = match.2.map(String.init) ?? ""
        for label in labels.split(separator: ",") where label.wholeMatch(of: /[a-z]+="[^"\\]*"/) == nil {
            throw Failure(sentence: "No label.", line: line)
        }
        let key = String(line.dropLast(match.3.count + 1))
        guard samples.updateValue(value, forKey: key) == nil else {
            throw Failure(sentence: "A sample comes twice.", line: line)
        }
        switch (families[current]?.type, name.dropFirst(current.count)) {
        case _ where !name.hasPrefix(current): throw Failure(sentence: "A sample outside its family.", line: line)
        case ("gauge", ""), ("counter", "_total"), ("histogram", "_sum"): break
        case ("histogram", "_bucket"): try bucket(labels, value, line)
        case ("histogram", "_count"):
            guard let last = buckets[labels]?.last, last.bound == .infinity, last.count == value else {
                throw Failure(sentence: "The count is not that of the last bucket.", line: line)
            }
        default: throw Failure(sentence: "A sample's name does not fit its type.", line: line)
        }
    }

    private mutating func bucket(_ labels: String, _ count: Double, _ line: String) throws(Failure) {
        guard let match = labels.wholeMatch(of: /(.*?),?le="([^"]*)"/),
            let bound = match.2 == "+Inf" ? Double.infinity : Double(match.2)
        else { throw Failure(sentence: "A bucket without bound.", line: line) }
        if let last = buckets[String(match.1)]?.last, last.bound >= bound || last.count > count {
            throw Failure(sentence: "Buckets do not grow.", line: line)
        }
        buckets[String(match.1), default: []].append((bound, count))
    }
}
