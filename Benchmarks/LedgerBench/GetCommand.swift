internal import CLoad
internal import Glibc
internal import LedgerCore

/// `get`: asks for random lines of a file of paths, for a number of seconds.
struct GetCommand {
    private let ports: [UInt16]
    private let connections: Int
    private let seconds: Int
    private let path: String
    private let seed: UInt64
    private let checksKeys: Bool

    init(_ options: inout Options) throws(BenchError) {
        ports = try options.loopbackPorts("target")
        connections = try options.requiredInteger("connections", in: 1...LoadLimits.connectionsMax)
        seconds = try options.requiredInteger("seconds", in: 1...3_600)
        path = try options.required("path-file")
        seed = try options.integer("seed", in: 0...UInt64.max) ?? 1
        checksKeys = options.flag("check")
        try options.finish()
    }

    func run() throws(BenchError) -> Int32 {
        let load = GetLoad(
            paths: try MappedLines(path: path),
            seconds: seconds,
            seed: seed,
            checksKeys: checksKeys
        )
        var loop = try LoadLoop(load, ports: ports, connections: connections)
        try loop.run()
        let workload = loop.workload
        var writer = JSONWriter()
        writer.beginObject()
        loop.result.writeMembers(to: &writer)
        writer.member("bodyBytes", workload.bodyBytes)
        workload.failures.writeMember("failures", to: &writer)
        writer.endObject()
        writeLine(String(decoding: writer.bytes, as: UTF8.self), to: STDOUT_FILENO)
        return workload.failures.count == 0 && loop.result.givenUp == 0 ? 0 : 1
    }
}

/// The requests of `get`.
struct GetLoad: Workload {
    private let paths: MappedLines
    private let endsAt: Int
    private let checksKeys: Bool
    private var random: SplitMix64
    /// Anything but the answer asked for.
    private(set) var failures = Tally()
    private(set) var bodyBytes = 0

    init(paths: MappedLines, seconds: Int, seed: UInt64, checksKeys: Bool) {
        self.paths = paths
        self.checksKeys = checksKeys
        random = SplitMix64(seed: seed)
        endsAt = Int(CLoad_now()) + seconds * 1_000_000_000
    }

    mutating func appendRequest(target: Int, to bytes: inout [UInt8]) -> Int? {
        guard Int(CLoad_now()) < endsAt else { return nil }
        let line = Int(random.next(upperBound: UInt64(paths.count)))
        bytes.append(contentsOf: "GET ".utf8)
        unsafe paths.withLine(line) { unsafe bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        return line
    }

    mutating func receive(_ request: Int, status: Int, bytes: [UInt8], body: Range<Int>) -> Judgement {
        if status == 503 { return .again }
        bodyBytes += body.count
        if status != 200 {
            failures.add("\(status) to \(String(decoding: paths[request], as: UTF8.self))")
        } else if checksKeys, !holdsKey(of: request, bytes, body) {
            failures.add("no key in the answer to \(String(decoding: paths[request], as: UTF8.self))")
        }
        return .done
    }

    /// Whether the answer contains what stands after the first `=` of the path.
    private func holdsKey(of request: Int, _ bytes: [UInt8], _ body: Range<Int>) -> Bool {
        unsafe paths.withLine(request) { line in
            guard let sign = unsafe line.firstIndex(of: UInt8(ascii: "=")) else { return true }
            let end = unsafe line[sign...].firstIndex(of: UInt8(ascii: "&")) ?? line.count
            return unsafe bytes.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress, let lineBase = line.baseAddress else { return false }
                return unsafe CLoad_find(base + body.lowerBound, body.count, lineBase + sign + 1, end - sign - 1) >= 0
            }
        }
    }
}
