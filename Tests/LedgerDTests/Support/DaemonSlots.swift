import Synchronization
import Testing

/// Lets only a few tests with daemons run at once: of the cluster's 200 sessions each daemon holds three a loop, and up to
/// thirteen more.
struct DaemonSlots: TestTrait, SuiteTrait, TestScoping {
    /// Tests that run at once.
    static let countMax = 6

    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await Self.slots.take()
        defer { Self.slots.giveBack() }
        try await function()
    }

    private static let slots = Slots(countMax)

    private final class Slots: Sendable {
        private struct State {
            var free: Int
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state: Mutex<State>

        init(_ count: Int) { state = Mutex(State(free: count)) }

        func take() async {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.free == 0 {
                        state.waiting.append(continuation)
                        return false
                    }
                    state.free -= 1
                    return true
                }
                if isFree { continuation.resume() }
            }
        }

        func giveBack() {
            let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
                if state.waiting.isEmpty {
                    state.free += 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
            next?.resume()
        }
    }
}

extension Trait where Self == DaemonSlots {
    /// The test runs daemons: it waits until few enough others do.
    ///
    /// To be named before `.database`.
    static var daemons: Self { Self() }
}
