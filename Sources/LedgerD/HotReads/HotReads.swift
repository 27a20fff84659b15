import HTTPServer
import LedgerCore
import Postgres
import Projections

/// The answers that are kept in a loop, and the look at the log that keeps them true (decision 14).
///
/// Confined to the loop's thread.
final class HotReads: LoopSource {
    /// How often the log is looked at without news: it shows that the database still answers.
    static let lookInterval: Duration = .milliseconds(100)
    /// Nothing is given when the last look that was answered began longer ago.
    static let trustMax: Duration = .seconds(1)

    private let connection: NonBlockingConnection?
    private let catalogs: CatalogShelf
    private let tally: LoopTally
    private var answers: HotAnswers
    /// When the last look that was answered began.
    private var confirmedAt: MonotonicTime?
    /// When the look that is not answered yet began.
    private var askedAt: MonotonicTime?
    /// Something happened since it began.
    private var looksAgain = false
    private var looksAt: MonotonicTime?

    /// Keeps at most so many bytes of answers.
    /// - Parameters:
    ///   - bytesMax: the limit of all answers together.
    ///   - connection: a session that nobody else submits to; nil: nothing is kept.
    ///   - catalogs: what answers are judged by.
    ///   - stated: what this daemon's answers have stated.
    ///   - tally: where the loop counts.
    init(
        bytesMax: Int,
        following connection: NonBlockingConnection?,
        catalogs: CatalogShelf,
        stated: StatedPosition,
        tally: LoopTally
    ) {
        self.connection = connection
        self.catalogs = catalogs
        self.tally = tally
        answers = HotAnswers(bytesMax: bytesMax, stated: stated)
        guard let connection else { return }
        looksAt = .now
        connection.onEvent = { [unowned self] event in
            switch event {
            case .opened: look()
            // What came before the next session is not heard of by itself.
            case .lost, .failed: answers.lose()
            }
        }
    }

    /// The answer to a question about now, if one is kept that is true.
    func answer(_ query: ReadQuery, at now: Instant) -> HotAnswers.Hit? {
        guard connection != nil else { return nil }
        let key = AnswerCache.Key(query.key, in: query.scope.environment)
        guard let confirmedAt, MonotonicTime.now - confirmedAt <= Self.trustMax,
            let hit = answers.answer(to: key, at: now, minPosition: query.scope.minPosition)
        else {
            tally.change { $0.misses += 1 }
            return nil
        }
        tally.change { $0.hits += 1 }
        return hit
    }

    /// For ``keep(_:of:_:)``, taken before the look-up begins.
    var ticket: HotAnswers.Ticket? { answers.ticket }

    /// Keeps what was found.
    func keep(_ rendered: RenderedAnswer, of answer: CustomerAnswer, _ ticket: HotAnswers.Ticket?) {
        let context = answer.context
        let ends = [
            rendered.nextChangeAt, catalogs.nextVersion(after: context.at, upTo: context.position),
        ]
        let entry = AnswerCache.Entry(
            answer: rendered,
            position: context.position,
            since: context.at,
            until: ends.compactMap(\.self).min()
        )
        answers.keep(
            entry,
            for: AnswerCache.Key(context.key, in: context.environment),
            tags: AnswerTag.all(context.key, answer.facts, context.environment),
            ticket
        )
    }

    /// An answer about the present states this position.
    func noteStated(_ position: Position) {
        if answers.noteStated(position) { look() }
    }

    /// The projection has come this far.
    func projectionAdvanced(to position: Position) {
        if let followed = answers.position, followed >= position { return }
        look()
    }

    var registration: LoopRegistration? { nil }

    var deadline: MonotonicTime? { looksAt }

    func descriptorReady(_ interest: LoopInterest) {}

    func deadlineReached() { look() }

    func roundEnded() {
        let kept = answers.kept
        tally.change {
            $0.kept = (kept.count, kept.bytes)
            $0.drops = kept.drops
        }
    }

    /// Looks at the log, or once more when the look under way is answered.
    private func look() {
        guard let connection else { return }
        let now = MonotonicTime.now
        looksAt = now + Self.lookInterval
        looksAgain = askedAt != nil
        if looksAgain { return }
        do throws(PostgresError) {
            try connection.readTouches(after: answers.position) { [unowned self] result in receive(result) }
            askedAt = now
        } catch { answers.lose() }
    }

    private func receive(_ result: Result<LogTouches, PostgresError>) {
        switch result {
        case .success(let touches):
            answers.take(touches)
            confirmedAt = askedAt
        case .failure: answers.lose()
        }
        askedAt = nil
        if looksAgain { look() }
    }
}
