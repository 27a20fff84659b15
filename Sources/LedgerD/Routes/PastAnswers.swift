import EventStore
import HTTPServer
import LedgerCore
import Projections

/// How far a question about the past sees, and how long it may wait to see it.
struct PastScope: Sendable {
    var environment: StoreEnvironment
    /// As it was asked.
    var knownAt: KnownAt?
    /// The position that the answer must reach at least.
    var minPosition: Position
    /// What counts, once it was found out; a second look must not see more than the first.
    var horizon: HistoryReader.Horizon?
    /// Until when the answer may wait for the projection.
    var deadline: MonotonicTime

    init(_ scope: ReadScope, deadline: MonotonicTime) {
        environment = scope.environment
        knownAt = scope.knownAt
        minPosition = scope.minPosition
        self.deadline = deadline
    }
}

/// Answers questions about the past: folds customers' own events again, on threads that may wait.
struct PastAnswers: Sendable {
    let pool: WorkPool
    let hand: LoopHand
    let catalogs: CatalogShelf

    /// Makes an answer from what counts, on a thread that may wait; nil: it is made in several parts and given later.
    typealias Work = @Sendable (HistoryReader, HistoryReader.Horizon) throws -> Response?

    /// Answers once the projection, which tells the lines of a key, has come as far as the question reaches.
    ///
    /// On the loop's thread.
    func answer(
        _ scope: PastScope,
        on questions: CustomerQuestions,
        _ responder: Responder,
        _ work: @escaping Work
    ) {
        let position = max(scope.minPosition, scope.horizon?.position ?? .start)
        questions.reach(position, in: scope.environment, by: scope.deadline) { problem in
            if let problem { return responder.respond(problem.response) }
            look(scope, responder, work)
        }
    }

    /// Works on a thread of the pool; what is thrown becomes the answer.
    func onPool(_ responder: Responder, _ work: @escaping @Sendable (HistoryReader) throws -> Response?) {
        let isTaken = pool.submit(size: 0) { session in
            do {
                guard let response = try work(HistoryReader(try session.open(), catalogs: catalogs)) else { return }
                responder.respond(response)
            } catch let error as EventStoreError {
                responder.respond(Problem(error).response)
            } catch {
                responder.respond(Problem.storeUnavailable("\(error)").response)
            }
        }
        if !isTaken { responder.respond(Self.overloaded.response) }
    }

    /// Completes an answer from the tables, which only know that units of these lines were used, from the log: at the same
    /// position, so that it is the same answer.
    func addUsage(
        to answer: CustomerAnswer,
        completion: @escaping @Sendable (Result<CustomerAnswer, Problem>) -> Void
    ) {
        let isTaken = pool.submit(size: 0) { session in
            do {
                let reader = HistoryReader(try session.open(), catalogs: catalogs)
                var answer = answer
                answer.facts = try reader.currentFacts(
                    of: answer.context.key,
                    in: answer.context.environment,
                    upTo: answer.context.position
                )
                completion(.success(answer))
            } catch { completion(.failure(Problem(reading: error))) }
        }
        if !isTaken { completion(.failure(Self.overloaded)) }
    }

    private func look(_ scope: PastScope, _ responder: Responder, _ work: @escaping Work) {
        onPool(responder) { reader in
            let horizon = try scope.horizon.map(reader.lookAgain) ?? reader.horizon(scope.knownAt)
            if horizon.isProjected { return try work(reader, horizon) }
            // The loop does the waiting.
            var scope = scope
            scope.horizon = horizon
            let again = scope
            let isTaken = hand.onLoop { room in answer(again, on: room.questions, responder, work) }
            return isTaken ? nil : Self.overloaded.response
        }
    }

    private static let overloaded = Problem.overloaded("Too many questions about the past wait.")
}
