/// The options of a command line, each with a value unless it is a flag.
///
/// Each may be asked for once; what nobody asked for is an error (``finish()``).
struct Options {
    private var values: [String: String] = [:]

    init(_ words: ArraySlice<String>, flags: Set<String>) throws(BenchError) {
        var rest = words
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else { throw .usage("\(word) is not an option") }
            let name = String(word.dropFirst(2))
            guard values[name] == nil else { throw .usage("--\(name) stands twice") }
            if flags.contains(name) {
                values[name] = ""
            } else {
                guard let value = rest.popFirst() else { throw .usage("--\(name) needs a value") }
                values[name] = value
            }
        }
    }

    mutating func flag(_ name: String) -> Bool { values.removeValue(forKey: name) != nil }

    mutating func text(_ name: String) -> String? { values.removeValue(forKey: name) }

    mutating func required(_ name: String) throws(BenchError) -> String {
        guard let value = text(name) else { throw .usage("--\(name) is missing") }
        return value
    }

    /// An integer within limits.
    mutating func integer<Value: FixedWidthInteger & Sendable>(
        _ name: String,
        in limits: ClosedRange<Value>
    ) throws(BenchError) -> Value? {
        guard let text = text(name) else { return nil }
        guard let value = Value(text), limits.contains(value) else {
            throw .usage("--\(name) \(text) is not a number from \(limits.lowerBound) to \(limits.upperBound)")
        }
        return value
    }

    mutating func requiredInteger<Value: FixedWidthInteger & Sendable>(
        _ name: String,
        in limits: ClosedRange<Value>
    ) throws(BenchError) -> Value {
        guard let value = try integer(name, in: limits) else { throw .usage("--\(name) is missing") }
        return value
    }

    /// Ports of `127.0.0.1:PORT,…`; other hosts are refused, because a load test must not leave the machine.
    mutating func loopbackPorts(_ name: String) throws(BenchError) -> [UInt16] {
        var ports: [UInt16] = []
        for target in try required(name).split(separator: ",") {
            let parts = target.split(separator: ":")
            guard parts.count == 2, ["127.0.0.1", "localhost"].contains(parts[0]), let port = UInt16(parts[1]) else {
                throw .usage("\(target) is not 127.0.0.1:PORT")
            }
            ports.append(port)
        }
        guard 1...Self.targetsMax ~= ports.count else { throw .usage("--\(name) names no target, or too many") }
        return ports
    }

    /// Nothing is left that no one asked for.
    func finish() throws(BenchError) {
        if let name = values.keys.min() { throw .usage("--\(name) is not an option of this command") }
    }

    static var targetsMax: Int { 64 }
}
