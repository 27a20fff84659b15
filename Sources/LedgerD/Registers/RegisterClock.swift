import HTTPServer

/// Wakes readers of registers that wait for the projection: when it has moved, and now and then besides, so that they
/// give up in time and see what another daemon has folded.
///
/// Confined to the loop's thread.
final class RegisterClock: LoopSource {
    /// How often readers that wait look again without being woken.
    static let lookAgain: Duration = .milliseconds(50)

    private let readers: StreamReaders<RegisterWork>
    private var looksAgainAt: MonotonicTime?

    init(_ readers: StreamReaders<RegisterWork>) { self.readers = readers }

    /// The projection has moved.
    func projectionAdvanced() { readers.wake() }

    var registration: LoopRegistration? { nil }

    var deadline: MonotonicTime? { looksAgainAt }

    func descriptorReady(_ interest: LoopInterest) {}

    func deadlineReached() {
        looksAgainAt = nil
        readers.wake()
    }

    func roundEnded() {
        if readers.isEmpty {
            looksAgainAt = nil
        } else if looksAgainAt == nil {
            looksAgainAt = .now + Self.lookAgain
        }
    }
}
