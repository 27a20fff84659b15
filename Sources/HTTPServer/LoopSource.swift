/// What a descriptor is watched for.
package struct LoopInterest: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Something can be read, or the peer has closed.
    package static let read = LoopInterest(rawValue: 1)
    /// Something can be written.
    package static let write = LoopInterest(rawValue: 2)
}

/// What a source wants to be watched: one descriptor, and for what.
package struct LoopRegistration: Equatable, Sendable {
    /// An open descriptor that epoll can watch.
    package var descriptor: Int32
    /// What it is watched for (level-triggered); empty means only for errors.
    package var interest: LoopInterest
    /// To be raised when a new connection may have got the number of the old one: the kernel forgets a closed
    /// descriptor without a word.
    package var generation: Int

    package init(descriptor: Int32, interest: LoopInterest, generation: Int = 0) {
        self.descriptor = descriptor
        self.interest = interest
        self.generation = generation
    }
}

/// Something that lives in the server's loop beside the clients, for example a non-blocking database connection.
///
/// Every method runs on the loop's thread and must not block. The properties are asked whenever a round has ended for
/// the sources, so they may change at any time; from another thread change them through ``HTTPServer/onLoop(_:)``.
package protocol LoopSource: AnyObject {
    /// What is to be watched now; nil for nothing.
    var registration: LoopRegistration? { get }

    /// When ``deadlineReached()`` is to be called; nil for never.
    var deadline: MonotonicTime? { get }

    /// The descriptor is ready. It may not be any more: a call too many must do no harm.
    func descriptorReady(_ interest: LoopInterest)

    /// The deadline has passed; called once a round until the source names a later one.
    func deadlineReached()

    /// A round of requests is over: what they queued can be handed over now.
    func roundEnded()
}
