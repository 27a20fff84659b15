import Synchronization

/// What a server counts, since its start.
///
/// The threads of loops write, any thread reads; numbers of one reading may lie a few requests apart.
package final class HTTPServerMetrics: Sendable {
    /// The numbers of one reading.
    package struct Snapshot: Equatable, Sendable {
        /// Connections that are open now, suspended ones included.
        package var connectionsOpen = 0
        /// Connections that were accepted.
        package var connections = 0
        /// Requests whose request line has come, refused ones included.
        package var requests = 0
        /// Requests that ended without a complete response.
        package var requestsBrokenOff = 0
        /// Connections that were closed because they used up their time.
        package var timeouts = 0
        /// Streams that are being sent now.
        package var streamsOpen = 0
        /// Responses by the first digit of their status, 2…5; refusals included, except the HTTP library's own.
        package var responses: [Int: Int] = [:]
        /// Responses by the name that they are counted under (``Response/countedAs``).
        package var namedResponses: [String: Int] = [:]
        /// Requests that the server answered by itself.
        package var refusals: [Refusal: Int] = [:]
        /// Requests that the HTTP library refused before the server saw them whole.
        package var refusalsByLibrary = 0
    }

    private let connectionsOpen = Atomic(0)
    private let connections = Atomic(0)
    private let requests = Atomic(0)
    private let requestsBrokenOff = Atomic(0)
    private let timeouts = Atomic(0)
    private let streamsOpen = Atomic(0)
    private let refusalsByLibrary = Atomic(0)
    private let responses2xx = Atomic(0)
    private let responses3xx = Atomic(0)
    private let responses4xx = Atomic(0)
    private let responses5xx = Atomic(0)
    /// Refusals and named responses are rare, so a lock is good enough for them.
    private let refusals = Mutex<[Refusal: Int]>([:])
    private let namedResponses = Mutex<[String: Int]>([:])

    /// The numbers now.
    package var snapshot: Snapshot {
        Snapshot(
            connectionsOpen: connectionsOpen.load(ordering: .relaxed),
            connections: connections.load(ordering: .relaxed),
            requests: requests.load(ordering: .relaxed),
            requestsBrokenOff: requestsBrokenOff.load(ordering: .relaxed),
            timeouts: timeouts.load(ordering: .relaxed),
            streamsOpen: streamsOpen.load(ordering: .relaxed),
            responses: [
                2: responses2xx.load(ordering: .relaxed),
                3: responses3xx.load(ordering: .relaxed),
                4: responses4xx.load(ordering: .relaxed),
                5: responses5xx.load(ordering: .relaxed),
            ],
            namedResponses: namedResponses.withLock { $0 },
            refusals: refusals.withLock { $0 },
            refusalsByLibrary: refusalsByLibrary.load(ordering: .relaxed)
        )
    }

    func connectionOpened() {
        connectionsOpen.add(1, ordering: .relaxed)
        connections.add(1, ordering: .relaxed)
    }

    func connectionClosed() { connectionsOpen.subtract(1, ordering: .relaxed) }
    func requestBegan() { requests.add(1, ordering: .relaxed) }
    func requestBrokenOff() { requestsBrokenOff.add(1, ordering: .relaxed) }
    func timedOut() { timeouts.add(1, ordering: .relaxed) }
    func streamOpened() { streamsOpen.add(1, ordering: .relaxed) }
    func streamClosed() { streamsOpen.subtract(1, ordering: .relaxed) }
    func refusedByLibrary() { refusalsByLibrary.add(1, ordering: .relaxed) }
    func refused(_ refusal: Refusal) { refusals.withLock { $0[refusal, default: 0] += 1 } }

    func responded(_ response: Response) {
        if let name = response.countedAs { namedResponses.withLock { $0[name, default: 0] += 1 } }
        switch response.status {
        case ..<300: responses2xx.add(1, ordering: .relaxed)
        case ..<400: responses3xx.add(1, ordering: .relaxed)
        case ..<500: responses4xx.add(1, ordering: .relaxed)
        default: responses5xx.add(1, ordering: .relaxed)
        }
    }
}
