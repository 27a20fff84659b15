import Dispatch
import EventStore
import LedgerCore
import Synchronization

/// What became of each unit, in the order of submission.
final class Outcomes: Sendable {
    private struct State {
        var calls: [Int] = []
        var results: [Int: Result<[Appended], EventStoreError>] = [:]
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    func submit(_ unit: AppendUnit, to writer: LedgerWriter) {
        let index = state.withLock { state in
            state.calls.append(0)
            return state.calls.count - 1
        }
        writer.submit(unit) { [self] result in
            state.withLock { state in
                state.calls[index] += 1
                state.results[index] = result
            }
            arrived.signal()
        }
    }

    /// Waits for so many further completions.
    func wait(for count: Int) { for _ in 0..<count { arrived.wait() } }

    var calls: [Int] { state.withLock { $0.calls } }

    /// The first position of each unit that was stored.
    var positions: [Int64] {
        state.withLock { state in
            state.results.sorted { $0.key < $1.key }.compactMap { try? $0.value.get().first?.position.rawValue }
        }
    }

    var failures: [String] {
        state.withLock { state in
            state.results.sorted { $0.key < $1.key }.compactMap { _, result in
                guard case .failure(let error) = result else { return nil }
                return error.description
            }
        }
    }
}
