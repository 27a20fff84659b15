package import LedgerCore
internal import Synchronization

/// Where this daemon tells itself how far the log has come, so that followers wake without asking the database.
package final class ProgressBoard: Sendable {
    private struct State {
        var position = Position.start
        var listeners: [@Sendable (Position) -> Void] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// The greatest position that is known to be durable.
    package var position: Position { state.withLock { $0.position } }

    /// Calls back on each advance, on whatever thread brings it; must not block.
    package func onAdvance(_ listener: @escaping @Sendable (Position) -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// A batch of ours became durable, or another daemon's did.
    package func appended(upTo position: Position) {
        let (listeners, isNews) = state.withLock { state in
            let isNews = position > state.position
            state.position = max(state.position, position)
            return (state.listeners, isNews)
        }
        if isNews { for listener in listeners { listener(position) } }
    }
}
