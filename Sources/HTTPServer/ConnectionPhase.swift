/// Where a connection stands in its cycle of request and response, and since when.
enum ConnectionPhase: Equatable, Sendable {
    /// Between requests, or before the request line of the first one.
    case idle(since: MonotonicTime)
    /// From the request line to the last byte of the body.
    case receiving(since: MonotonicTime)
    /// Refused already; what still comes in is thrown away.
    case discarding(since: MonotonicTime)
    /// The handler has the request.
    case handling(since: MonotonicTime)
    /// A response of known bytes is on its way.
    case sending(since: MonotonicTime)
    /// A stream is on its way, and the client took the last bytes then.
    case streaming(lastRead: MonotonicTime)
    /// A stream is on its way, and its writer has nothing to send.
    case waitingForStream
    /// Broken off by us; the library has to notice.
    case broken

    /// What to do with a connection that has used up its time.
    enum Overdue: Equatable {
        /// Break it off without a word.
        case breakOff
        /// Tell the client that its request took too long, and break it off.
        case refuseRequest
        /// Answer in the handler's place.
        case answer
        /// See whether the client is still there.
        case checkPeer
    }

    /// What is due at an instant; nil for a connection that is within its limits.
    func overdue(at now: MonotonicTime, limits: HTTPServerConfiguration) -> Overdue? {
        switch self {
        case .idle(let since): now - since > limits.idleTimeout ? .breakOff : nil
        case .receiving(let since): now - since > limits.requestDeadline ? .refuseRequest : nil
        case .discarding(let since): now - since > limits.requestDeadline ? .breakOff : nil
        case .handling(let since): now - since > limits.responseDeadline ? .answer : nil
        case .sending(let since): now - since > limits.sendDeadline ? .breakOff : nil
        case .streaming(let lastRead): now - lastRead > limits.stallTimeout ? .breakOff : nil
        case .waitingForStream: .checkPeer
        case .broken: nil
        }
    }
}
