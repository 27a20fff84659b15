/// The sources of a loop, and what of each is registered with the kernel.
///
/// A class, because a source may add another one while it is called.
final class LoopSources {
    private struct Entry {
        let source: any LoopSource
        var registered: LoopRegistration?
    }

    private var entries: [Entry] = []

    /// The sources a loop may have: a few connections, not one per client.
    static let countMax = 64

    /// The token of the first source; the others follow in the order in which they were added.
    static let firstToken: UInt64 = 2

    func add(_ source: any LoopSource) {
        precondition(entries.count < Self.countMax, "too many sources in one loop")
        entries.append(Entry(source: source))
    }

    /// The earliest instant that a source waits for.
    var deadline: MonotonicTime? { entries.lazy.compactMap(\.source.deadline).min() }

    /// Tells a source that its descriptor is ready.
    func descriptorReady(at index: Int, _ interest: LoopInterest) {
        let source = entries[index].source
        source.descriptorReady(interest)
    }

    /// Tells each source whose deadline has passed.
    func deadlinesReached(at now: MonotonicTime) {
        for entry in entries {
            if let deadline = entry.source.deadline, deadline <= now { entry.source.deadlineReached() }
        }
    }

    /// Tells each source that a round of requests is over.
    func roundEnded() {
        for entry in entries { entry.source.roundEnded() }
    }

    /// Brings what the kernel watches in line with what the sources want.
    ///
    /// A descriptor that cannot be watched is tried again after the next round.
    func register(in poll: borrowing EventPoll) {
        for index in entries.indices {
            let wanted = entries[index].source.registration
            let current = entries[index].registered
            guard wanted != current else { continue }
            let token = Self.firstToken + UInt64(index)
            if let wanted, let current, wanted.isSameConnection(as: current) {
                if poll.change(wanted.descriptor, for: wanted.interest, token: token) {
                    entries[index].registered = wanted
                }
                continue
            }
            if let current { poll.remove(current.descriptor) }
            entries[index].registered = nil
            if let wanted, poll.add(wanted.descriptor, for: wanted.interest, token: token) {
                entries[index].registered = wanted
            }
        }
    }
}

extension LoopRegistration {
    fileprivate func isSameConnection(as other: LoopRegistration) -> Bool {
        descriptor == other.descriptor && generation == other.generation
    }
}
