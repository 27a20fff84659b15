import EventStore
import HTTPServer
import LedgerCore
import Projections

/// A question about the past: what a key meant at an instant, as known then or now.
struct PastQuestion: Sendable {
    var key: CustomerKey
    var environment: StoreEnvironment
    var at: Instant
    /// As it was asked.
    var knownAt: KnownAt?
    /// The last event that counts, once it was found out; a second look must not see more than the first.
    var bound: Position?
    /// Until when the answer may wait for the projection.
    var deadline: MonotonicTime

    init(_ query: ReadQuery, at: Instant, deadline: MonotonicTime) {
        key = query.key
        environment = query.environment
        self.at = at
        knownAt = query.knownAt
        self.deadline = deadline
    }
}

/// Answers questions about the past: folds the customer's own events again, on threads that may wait.
struct PastAnswers: Sendable {
    let pool: WorkPool
    let hand: LoopHand
    let catalog: Catalog

    func answer(_ question: PastQuestion, _ responder: Responder) {
        let isTaken = pool.submit(size: 0) { session in
            do {
                let answer = try HistoryReader(try session.open()).read(
                    question.key,
                    in: question.environment,
                    at: question.at,
                    knownAt: question.bound.map(KnownAt.position) ?? question.knownAt
                )
                guard answer.projected >= answer.position else {
                    return wait(question, for: answer.position, responder)
                }
                let context = AnswerContext(
                    environment: question.environment,
                    key: question.key,
                    at: question.at,
                    knownAt: question.knownAt,
                    position: answer.position
                )
                responder.respond(
                    Response(
                        status: 200,
                        headers: [("Content-Type", "application/json")],
                        bytes: context.body(answer.facts, catalog)
                    )
                )
            } catch let error as EventStoreError {
                responder.respond(Problem(error).response)
            } catch {
                responder.respond(Problem.storeUnavailable("\(error)").response)
            }
        }
        if !isTaken { responder.respond(Problem.overloaded("Too many questions about the past wait.").response) }
    }

    /// Asks again when the projection has come as far as the question reaches; the loop does the waiting.
    private func wait(_ question: PastQuestion, for position: Position, _ responder: Responder) {
        var question = question
        question.bound = position
        let again = question
        let isTaken = hand.onLoop { room in room.entitlements.askHistory(again, after: position, responder) }
        if !isTaken { responder.respond(Problem.overloaded("Too many questions about the past wait.").response) }
    }
}

extension AnswerContext {
    /// The entitlement set that these facts mean, as JSON.
    func body(_ facts: CustomerFacts, _ catalog: Catalog) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 2048)
        EntitlementEvaluator.evaluate(facts, catalog: catalog, at: at).write(to: &json, self)
        return json.bytes
    }
}
