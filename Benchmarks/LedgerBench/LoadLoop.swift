internal import CLoad

/// Loads servers on this machine: one thread, many keep-alive connections, one request outstanding on each.
///
/// The client shares two cores with the server, so it does as little as it can: one send and one receive a request,
/// bodies from a mapped file, nothing decoded that no check asks for.
struct LoadLoop<Load: Workload> {
    private(set) var workload: Load
    private(set) var result = LoadResult()
    private let poll: EventPoll
    private let connections: [LoadConnection]
    private var unfinished: Int
    private var paused = 0

    /// Connects to the targets, which listen on these ports; the connections are dealt out to them in turn.
    init(_ workload: Load, ports: [UInt16], connections count: Int) throws(BenchError) {
        self.workload = workload
        let poll = try EventPoll()
        self.poll = poll
        var connections: [LoadConnection] = []
        for index in 0..<count {
            let target = index % ports.count
            connections.append(try LoadConnection(poll: poll, token: index, target: target, port: ports[target]))
        }
        self.connections = connections
        unfinished = count
    }

    /// Asks until the workload has nothing more and every answer is there.
    mutating func run() throws(BenchError) {
        let start = Int(CLoad_now())
        let cpuStart = CLoad_cpu_time()
        for connection in connections { try ask(connection) }
        var scratch = [UInt8](repeating: 0, count: LoadLimits.receiveBytes)
        var sweepAt = start + LoadLimits.sweepNanoseconds
        while unfinished > 0 {
            let pause = paused > 0 ? LoadLimits.pausedWaitMilliseconds : LoadLimits.waitMilliseconds
            for event in try poll.wait(milliseconds: pause) { try handle(event, &scratch) }
            if paused > 0 { try resume() }
            if Int(CLoad_now()) > sweepAt {
                sweepAt += LoadLimits.sweepNanoseconds
                try sweep()
            }
        }
        result.nanoseconds = Int(CLoad_now()) - start
        result.cpuNanoseconds = Int(CLoad_cpu_time() - cpuStart)
    }

    private mutating func ask(_ connection: LoadConnection) throws(BenchError) {
        connection.request.removeAll(keepingCapacity: true)
        guard let number = workload.appendRequest(target: connection.target, to: &connection.request) else {
            connection.phase = .finished
            unfinished -= 1
            return
        }
        connection.phase = .answer(number)
        connection.attempts = 0
        connection.startedAt = Int(CLoad_now())
        try connection.send()
    }

    private mutating func handle(_ event: CLoad_Event, _ scratch: inout [UInt8]) throws(BenchError) {
        let connection = connections[Int(event.token)]
        if event.is_writable != 0 { try connection.continueSending() }
        guard event.is_readable != 0 else { return }
        switch try connection.receive(into: &scratch) {
        case .nothing: break
        case .answer(let answer): try judge(answer, on: connection)
        case .closed:
            try reconnect(connection)
            // A request that was under way is sent again: the server may have done it, and then says duplicate.
            if case .answer = connection.phase { try connection.send() }
        }
    }

    private mutating func judge(_ answer: ResponseReader.Answer, on connection: LoadConnection) throws(BenchError) {
        guard case .answer(let number) = connection.phase else { return }
        let now = Int(CLoad_now())
        let judgement = workload.receive(
            number,
            status: answer.status,
            bytes: connection.reader.bytes,
            body: answer.body
        )
        if answer.closes { try reconnect(connection) }
        if judgement == .again, connection.attempts < LoadLimits.attemptsMax {
            let wait = min(LoadLimits.backOffNanoseconds << connection.attempts, LoadLimits.backOffMaxNanoseconds)
            connection.attempts += 1
            connection.phase = .pause(number, until: now + wait)
            paused += 1
            result.retries += 1
            return
        }
        if judgement == .again { result.givenUp += 1 }
        result.latencies.add(nanoseconds: now - connection.startedAt)
        try ask(connection)
    }

    /// Sends again what has paused long enough.
    private mutating func resume() throws(BenchError) {
        let now = Int(CLoad_now())
        for connection in connections {
            guard case .pause(let number, let until) = connection.phase, until <= now else { continue }
            connection.phase = .answer(number)
            paused -= 1
            try connection.send()
        }
    }

    private mutating func reconnect(_ connection: LoadConnection) throws(BenchError) {
        result.reconnects += 1
        guard result.reconnects <= LoadLimits.reconnectsMax else { throw .tooManyReconnects(result.reconnects) }
        try connection.reconnect()
    }

    /// A server that has stopped answering ends the run.
    private func sweep() throws(BenchError) {
        let oldest = Int(CLoad_now()) - LoadLimits.answerSecondsMax * 1_000_000_000
        for connection in connections {
            if case .answer = connection.phase, connection.startedAt < oldest {
                throw .noProgress(seconds: LoadLimits.answerSecondsMax)
            }
        }
    }
}

/// The limits of a load test.
enum LoadLimits {
    static var connectionsMax: Int { 10_000 }
    static var receiveBytes: Int { 65_536 }
    /// How often a request is sent again after 503: 20 ms, 40 ms, … 2 s, in all about 15 s.
    static var attemptsMax: Int { 12 }
    static var backOffNanoseconds: Int { 20_000_000 }
    static var backOffMaxNanoseconds: Int { 2_000_000_000 }
    static var reconnectsMax: Int { 100_000 }
    static var answerSecondsMax: Int { 60 }
    static var sweepNanoseconds: Int { 1_000_000_000 }
    static var waitMilliseconds: Int32 { 1_000 }
    static var pausedWaitMilliseconds: Int32 { 5 }
}

/// What a load test has measured.
struct LoadResult {
    var latencies = LatencyRecord()
    var nanoseconds = 0
    /// Of the client.
    var cpuNanoseconds = 0
    /// Answers after which a request was sent again.
    var retries = 0
    /// Requests whose last permitted attempt was answered "not now".
    var givenUp = 0
    var reconnects = 0
}
