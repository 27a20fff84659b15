import HTTPServer
import Synchronization

/// Reaches a loop from other threads, and from what is made before its server.
final class LoopHand: Sendable {
    private let place = Mutex<(server: HTTPServer, room: LoopRoom)?>(nil)

    func reach(_ server: HTTPServer, _ room: LoopRoom) { place.withLock { $0 = (server, room) } }

    /// Lets go of the server; afterwards no work is taken.
    func leave() { place.withLock { $0 = nil } }

    /// Works on the loop's thread; false when the loop has ended or too much waits, and the work is dropped.
    func onLoop(_ work: @escaping @Sendable (LoopRoom) -> Void) -> Bool {
        guard let (server, room) = place.withLock({ $0 }) else { return false }
        return server.onLoop { work(room) }
    }
}
