internal import CLoad
internal import Glibc
internal import LedgerCore

/// `batch`: posts random lines of a file, each a body with the same number of keys, to the batch route, for a number of
/// seconds.
struct BatchCommand {
    private let ports: [UInt16]
    private let connections: Int
    private let seconds: Int
    private let path: String
    private let keys: Int
    private let seed: UInt64

    init(_ options: inout Options) throws(BenchError) {
        ports = try options.loopbackPorts("target")
        connections = try options.requiredInteger("connections", in: 1...LoadLimits.connectionsMax)
        seconds = try options.requiredInteger("seconds", in: 1...3_600)
        path = try options.required("file")
        keys = try options.requiredInteger("keys", in: 1...10_000)
        seed = try options.integer("seed", in: 0...UInt64.max) ?? 1
        try options.finish()
    }

    func run() throws(BenchError) -> Int32 {
        let load = BatchLoad(bodies: try MappedLines(path: path), seconds: seconds, seed: seed, keys: keys)
        var loop = try LoadLoop(load, ports: ports, connections: connections)
        try loop.run()
        let workload = loop.workload
        var writer = JSONWriter()
        writer.beginObject()
        loop.result.writeMembers(to: &writer)
        writer.member("keysPerSecond", loop.result.perSecond * keys)
        writer.member("bodyBytes", workload.bodyBytes)
        workload.failures.writeMember("failures", to: &writer)
        writer.endObject()
        writeLine(String(decoding: writer.bytes, as: UTF8.self), to: STDOUT_FILENO)
        return workload.failures.count == 0 && loop.result.givenUp == 0 ? 0 : 1
    }
}

/// The requests of `batch`.
struct BatchLoad: Workload {
    private let bodies: MappedLines
    private let endsAt: Int
    private let keys: Int
    private var random: SplitMix64
    /// Anything but an answer with an item for each key.
    private(set) var failures = Tally()
    private(set) var bodyBytes = 0

    init(bodies: MappedLines, seconds: Int, seed: UInt64, keys: Int) {
        self.bodies = bodies
        self.keys = keys
        random = SplitMix64(seed: seed)
        endsAt = Int(CLoad_now()) + seconds * 1_000_000_000
    }

    mutating func appendRequest(target: Int, to bytes: inout [UInt8]) -> Int? {
        guard Int(CLoad_now()) < endsAt else { return nil }
        let line = Int(random.next(upperBound: UInt64(bodies.count)))
        bytes.appendPost(Self.head, of: line, in: bodies)
        return line
    }

    private static let head = [UInt8].headOfPost(to: "/v1/entitlements:batch")

    mutating func receive(_ request: Int, status: Int, bytes: [UInt8], body: Range<Int>) -> Judgement {
        if status == 503 { return .again }
        bodyBytes += body.count
        let items = status == 200 ? countItems(bytes, body) : 0
        if items != keys { failures.add("\(status) with \(items) items to line \(request + 1)") }
        return .done
    }

    /// How often an item begins in the answer.
    private func countItems(_ bytes: [UInt8], _ body: Range<Int>) -> Int {
        let begin: StaticString = #"{"key":"#
        return unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            var count = 0
            var start = body.lowerBound
            while true {
                let found = unsafe CLoad_find(
                    base + start,
                    body.upperBound - start,
                    begin.utf8Start,
                    begin.utf8CodeUnitCount
                )
                if found < 0 { return count }
                count += 1
                start += found + begin.utf8CodeUnitCount
            }
        }
    }
}
