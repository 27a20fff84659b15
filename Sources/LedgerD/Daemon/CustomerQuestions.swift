import HTTPServer
import LedgerCore
import Postgres
import Projections

/// Questions about customers, in the loop: hands them to the reader and lets those that want to read their own write
/// wait for the projection.
///
/// Confined to the loop's thread.
final class CustomerQuestions: LoopSource {
    /// What is asked, and whom to tell.
    struct Question {
        var key: CustomerKey
        var environment: StoreEnvironment
        /// The answer must stand at this position or later.
        var minPosition: Position
        /// Until when it may wait for that.
        var deadline: MonotonicTime
        var completion: (Result<CustomerReader.Answer, Problem>) -> Void
    }

    /// Questions that wait for the projection.
    static let waitingMax = 4096
    /// How often they ask again without being woken: another daemon may have folded.
    static let askAgain: Duration = .milliseconds(10)

    private let reader: CustomerReader
    private let hot: HotReads
    private let tally: LoopTally
    private var waiting: [Question] = []
    private var asksAgainAt: MonotonicTime?

    /// Asks this reader, tells `hot` which positions are answered with, and `tally` how many questions wait.
    init(_ reader: CustomerReader, hot: HotReads, tally: LoopTally) {
        self.reader = reader
        self.hot = hot
        self.tally = tally
    }

    /// Asks; the completion is called in this or a later turn of the loop.
    func ask(_ question: Question) {
        do throws(PostgresError) {
            try reader.read(question.key, in: question.environment) { [unowned self] result in
                receive(result, for: question)
            }
        } catch {
            question.completion(.failure(.overloaded("Too many reads wait; try again in a moment.")))
        }
    }

    /// Waits until answers stand at a position or later.
    ///
    /// The completion gets nil then, at once for the start of the log, or the problem.
    func reach(
        _ position: Position,
        in environment: StoreEnvironment,
        by deadline: MonotonicTime,
        completion: @escaping (Problem?) -> Void
    ) {
        guard position > .start else { return completion(nil) }
        ask(
            Question(key: Self.nobody, environment: environment, minPosition: position, deadline: deadline) { result in
                switch result {
                case .success: completion(nil)
                case .failure(let problem): completion(problem)
                }
            }
        )
    }

    /// A key without lines, to ask for the position alone.
    private static let nobody = CustomerKey.originalTransactionID(OriginalTransactionID(rawValue: ""))

    private func receive(_ result: Result<CustomerReader.Answer, PostgresError>, for question: Question) {
        switch result {
        case .failure(let error):
            question.completion(.failure(.storeUnavailable("The ledger's database is not available: \(error)")))
        case .success(let answer) where answer.position >= question.minPosition:
            hot.noteStated(answer.position)
            question.completion(.success(answer))
        case .success(let answer):
            wait(question, at: answer.position)
        }
    }

    private func wait(_ question: Question, at position: Position) {
        let now = MonotonicTime.now
        guard now < question.deadline, waiting.count < Self.waitingMax else {
            return question.completion(.failure(.notYetProjected(at: position, wanted: question.minPosition)))
        }
        waiting.append(question)
        asksAgainAt = asksAgainAt ?? now + Self.askAgain
    }

    /// The projection has come this far.
    func projectionAdvanced(to position: Position) {
        guard !waiting.isEmpty else { return }
        let all = waiting
        waiting = all.filter { $0.minPosition > position }
        for question in all where question.minPosition <= position { ask(question) }
    }

    var registration: LoopRegistration? { nil }

    var deadline: MonotonicTime? { waiting.isEmpty ? nil : asksAgainAt }

    func descriptorReady(_ interest: LoopInterest) {}

    func deadlineReached() {
        let all = waiting
        waiting = []
        asksAgainAt = nil
        for question in all { ask(question) }
    }

    func roundEnded() {
        reader.flush()
        tally.change {
            $0.waitingForConnection = reader.waitingCount
            $0.waitingForProjection = waiting.count
        }
    }
}

extension Problem {
    /// The projection did not come as far as the caller asked for (API.md, "Read your own write").
    static func notYetProjected(at position: Position, wanted: Position) -> Problem {
        Problem(
            status: 409,
            code: "notYetProjected",
            title: "The projection is not there yet",
            detail:
                "The answer would stand at position \(position) and was asked for at \(wanted); try again in a moment.",
            isRetryable: true
        )
    }
}
