package import LedgerCore

/// Answers that are known to be true at the position up to which the log was followed (decision 14).
///
/// A value with rules and without I/O: told what the log touches, what was looked up and what was answered, it says
/// which answer may be given again, and where that answer stands.
package struct HotAnswers {
    /// An answer that may be given, and the position that it states.
    package struct Hit: Sendable, Hashable {
        package var answer: RenderedAnswer
        package var position: Position
    }

    /// The right to keep what a look-up finds that begins now.
    package struct Ticket: Sendable, Hashable {
        fileprivate let era: Int
    }

    private var cache: AnswerCache
    /// Up to where everything touched is dropped; nil: not known.
    package private(set) var position: Position?
    private var tables: Int64?
    /// What answers about the present have stated, from here and elsewhere.
    private let stated: StatedPosition
    /// Raised when everything is dropped, so that look-ups from before are not kept.
    private var era = 0

    /// No answers yet, and at most this many bytes of them; none at all for 0.
    package init(bytesMax: Int, stated: StatedPosition = StatedPosition()) {
        cache = AnswerCache(bytesMax: bytesMax)
        self.stated = stated
    }

    /// The answers that are kept, their bytes, and why others went.
    package var kept: (count: Int, bytes: Int, drops: AnswerCache.Drops) { (cache.count, cache.bytes, cache.drops) }

    /// The answer to a key, true at the instant and at the position that it states.
    ///
    /// Nil when there is none, and when the tables may know more than what this daemon has said already, or the caller
    /// has heard of.
    package mutating func answer(to key: AnswerCache.Key, at instant: Instant, minPosition: Position) -> Hit? {
        guard let position, let entry = cache.entry(for: key, at: instant) else { return nil }
        let reached = max(position, entry.position)
        guard reached >= minPosition, reached >= stated.position else { return nil }
        stated.note(reached)
        return Hit(answer: entry.answer, position: reached)
    }

    /// For a look-up that begins now; nil when nothing that it finds can be kept.
    package var ticket: Ticket? { position == nil ? nil : Ticket(era: era) }

    /// Keeps what a look-up has found, unless the log was followed past it or everything was dropped meanwhile.
    package mutating func keep(
        _ entry: AnswerCache.Entry,
        for key: AnswerCache.Key,
        tags: @autoclosure () -> Set<AnswerTag>,
        _ ticket: Ticket?
    ) {
        guard let position, ticket?.era == era, entry.position >= position else { return }
        cache.insert(entry, for: key, tags: tags())
    }

    /// An answer about the present has stated a position.
    /// - Returns: whether the log should be looked at.
    package mutating func noteStated(_ position: Position) -> Bool {
        stated.note(position)
        return self.position.map { $0 < position } ?? true
    }

    /// The log was looked at after ``position``.
    package mutating func take(_ touches: LogTouches) {
        let isContinued = position.map { touches.tables == tables && touches.position >= $0 } ?? false
        if isContinued, case .answers(let list) = touches.extent {
            for touch in list { cache.drop(touch.tag, before: touch.position) }
        } else {
            clear()
        }
        tables = touches.tables
        position = touches.position
    }

    /// It is not known any more what the log touches.
    package mutating func lose() {
        clear()
        position = nil
    }

    private mutating func clear() {
        cache.clear()
        era += 1
    }
}
