import EventStore
import HTTPServer
import LedgerCore
import Synchronization

/// How far, and for how long, the projection is behind the log, as this daemon knows the two.
///
/// Remembers when the log was seen to reach some of the positions that are not projected yet, at most
/// ``marksMax`` of them: when there are more, every second one is forgotten, never the oldest.
final class ProjectionLag: Sendable {
    /// Positions whose time is remembered.
    static let marksMax = 64

    private struct Mark: Sendable {
        var position: Position
        var seenAt: MonotonicTime
    }

    private let log: ProgressBoard
    private let projected: ProgressBoard
    private let marks = Mutex<[Mark]>([])
    private let clock: @Sendable () -> MonotonicTime

    /// Begins to watch both boards; what they know already is told by ``positions`` alone.
    init(
        log: ProgressBoard,
        projected: ProgressBoard,
        clock: @escaping @Sendable () -> MonotonicTime = { .now }
    ) {
        self.log = log
        self.projected = projected
        self.clock = clock
        log.onAdvance { [weak self] position in self?.logAdvanced(to: position) }
        projected.onAdvance { [weak self] position in self?.projectionAdvanced(to: position) }
    }

    /// How far both have come.
    ///
    /// The projection is looked at first: it never stands past the log.
    var positions: (log: Position, projected: Position) {
        let projected = projected.position
        return (max(log.position, projected), projected)
    }

    /// How long the oldest event that is not projected has been known; zero when all are.
    ///
    /// When marks were forgotten it may be told too short, by the time between two marks.
    func duration(at now: MonotonicTime) -> Duration {
        let oldest = marks.withLock { $0.first }
        return oldest.map { max(.zero, now - $0.seenAt) } ?? .zero
    }

    private func logAdvanced(to position: Position) {
        guard position > projected.position else { return }
        let mark = Mark(position: position, seenAt: clock())
        marks.withLock { marks in
            if marks.count == Self.marksMax {
                marks = marks.indices.filter { $0.isMultiple(of: 2) }.map { marks[$0] }
            }
            marks.append(mark)
        }
        // It may have passed the position between the look and the mark.
        projectionAdvanced(to: projected.position)
    }

    private func projectionAdvanced(to position: Position) {
        marks.withLock { $0.removeAll { $0.position <= position } }
    }
}
