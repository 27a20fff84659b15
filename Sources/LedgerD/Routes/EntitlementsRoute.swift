import HTTPServer
import LedgerCore
import Projections

/// `GET /v1/entitlements`: what a customer may use.
///
/// Confined to the loop's thread.
final class EntitlementsRoute {
    private let questions: CustomerQuestions
    private let catalog: Catalog
    private let served: Set<StoreEnvironment>
    private let history: PastAnswers
    private let clock: @Sendable () -> Instant

    init(
        _ questions: CustomerQuestions,
        history: PastAnswers,
        catalog: Catalog,
        served: Set<StoreEnvironment>,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.questions = questions
        self.history = history
        self.clock = clock
        self.catalog = catalog
        self.served = served
    }

    func handle(_ request: Request, _ responder: Responder) {
        let query: ReadQuery
        do throws(Problem) { query = try ReadQuery(QueryParameters(request), served: served) } catch {
            return responder.respond(error.response)
        }
        let now = clock()
        let at = query.at ?? now
        let deadline = MonotonicTime.now + query.wait
        if query.knownAt != nil || at < now {
            return askHistory(PastQuestion(query, at: at, deadline: deadline), after: query.minPosition, responder)
        }
        ask(query.key, query.environment, at, query.minPosition, deadline) { result in
            switch result {
            case .success(let body):
                responder.respond(
                    Response(status: 200, headers: [("Content-Type", "application/json")], bytes: body)
                )
            case .failure(let problem): responder.respond(problem.response)
            }
        }
    }

    /// Asks about the past once the projection, which tells the lines of a key, has come to a position.
    func askHistory(_ question: PastQuestion, after position: Position, _ responder: Responder) {
        guard position > .start else { return history.answer(question, responder) }
        questions.ask(
            CustomerQuestions.Question(
                key: question.key,
                environment: question.environment,
                minPosition: position,
                deadline: question.deadline
            ) { [history] result in
                switch result {
                case .success: history.answer(question, responder)
                case .failure(let problem): responder.respond(problem.response)
                }
            }
        )
    }

    /// Asks for the entitlement set of a key, as JSON.
    func ask(
        _ key: CustomerKey,
        _ environment: StoreEnvironment,
        _ at: Instant,
        _ minPosition: Position,
        _ deadline: MonotonicTime,
        completion: @escaping (Result<[UInt8], Problem>) -> Void
    ) {
        let catalog = catalog
        questions.ask(
            CustomerQuestions.Question(
                key: key,
                environment: environment,
                minPosition: minPosition,
                deadline: deadline
            ) { result in
                completion(
                    result.map { answer in
                        let context = AnswerContext(
                            environment: environment,
                            key: key,
                            at: at,
                            position: answer.position
                        )
                        return context.body(answer.facts, catalog)
                    }
                )
            }
        )
    }
}
