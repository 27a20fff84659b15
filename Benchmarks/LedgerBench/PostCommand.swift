internal import Glibc
internal import LedgerCore

/// `post`: sends every line of a file to `POST /v1/notifications`, in turn to each target, and judges the answers.
struct PostCommand {
    private let ports: [UInt16]
    private let connections: Int
    private let path: String
    private let shuffleSeed: UInt64?
    private let repeatEvery: Int?
    private let expectsRecorded: Bool
    private let checksPositions: Bool

    init(_ options: inout Options) throws(BenchError) {
        ports = try options.loopbackPorts("targets")
        connections = try options.requiredInteger("connections", in: ports.count...LoadLimits.connectionsMax)
        path = try options.required("file")
        shuffleSeed = try options.integer("shuffle", in: 0...UInt64.max)
        repeatEvery = try options.integer("repeat-every", in: 1...1_000_000)
        let expected = options.text("expect")
        guard expected == nil || expected == "recorded" else { throw .usage("--expect knows only recorded") }
        expectsRecorded = expected != nil
        checksPositions = options.flag("check-positions")
        try options.finish()
    }

    func run() throws(BenchError) -> Int32 {
        let lines = try NotificationLines(path: path)
        let plan = PostPlan(
            lines: lines.count,
            targets: ports.count,
            shuffleSeed: shuffleSeed,
            repeatEvery: repeatEvery
        )
        var loop = try LoadLoop(PostLoad(lines: lines, plan: plan), ports: ports, connections: connections)
        try loop.run()
        var load = loop.workload
        if checksPositions { load.judgePositions() }
        var writer = JSONWriter()
        writer.beginObject()
        loop.result.writeMembers(to: &writer)
        load.writeMembers(to: &writer)
        writer.endObject()
        writeLine(String(decoding: writer.bytes, as: UTF8.self), to: STDOUT_FILENO)
        let isComplete = load.recorded + load.duplicates == plan.count
        let isExpected = !expectsRecorded || load.duplicates == 0
        return isComplete && isExpected && load.problems.count == 0 ? 0 : 1
    }
}

/// The requests of `post`.
struct PostLoad: Workload {
    private let lines: NotificationLines
    private let plan: PostPlan
    /// How many of each target's queue have been handed out.
    private var handedOut: [Int]
    private var positions = PositionCheck()
    private(set) var recorded = 0
    private(set) var duplicates = 0
    /// Answers of other statuses or shapes, and positions that don't fit.
    private(set) var problems = Tally()

    init(lines: NotificationLines, plan: PostPlan) {
        self.lines = lines
        self.plan = plan
        handedOut = plan.queues.map { _ in 0 }
    }

    mutating func appendRequest(target: Int, to bytes: inout [UInt8]) -> Int? {
        guard handedOut[target] < plan.queues[target].count else { return nil }
        let line = Int(plan.queues[target][handedOut[target]])
        handedOut[target] += 1
        bytes.appendPost(Self.head, of: line, in: lines.bodies)
        return line
    }

    private static let head = [UInt8].headOfPost(to: "/v1/notifications")

    mutating func receive(_ line: Int, status: Int, bytes: [UInt8], body: Range<Int>) -> Judgement {
        if status == 503 { return .again }
        let text = Array(bytes[body])
        guard status == 200, let answer = PostAnswer(text) else {
            problems.add("\(status) to line \(line + 1): \(String(decoding: text.prefix(200), as: UTF8.self))")
            return .done
        }
        guard answer.notificationUUID[...] == lines.identifier(line) else {
            problems.add("line \(line + 1) was answered with another notificationUUID")
            return .done
        }
        switch answer.outcome {
        case .recorded: recorded += 1
        case .duplicate: duplicates += 1
        }
        positions.add(answer, line: line, problems: &problems)
        return .done
    }

    mutating func judgePositions() { positions.judge(documents: lines.documentCount, problems: &problems) }

    func writeMembers(to writer: inout JSONWriter) {
        writer.name("outcomes")
        writer.beginObject()
        writer.member("recorded", recorded)
        writer.member("duplicate", duplicates)
        writer.endObject()
        writer.member("positionMin", recorded + duplicates > 0 ? positions.minimum : nil)
        writer.member("positionMax", recorded + duplicates > 0 ? positions.maximum : nil)
        problems.writeMember("problems", to: &writer)
    }
}
