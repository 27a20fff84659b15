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
        let at = query.scope.at ?? now
        let deadline = MonotonicTime.now + query.scope.wait
        if query.scope.isPast(now) { return answerPast(query, at, deadline, responder) }
        ask(query.key, query.scope.environment, at, query.scope.minPosition, deadline) { result in
            switch result {
            case .success(let body):
                responder.respond(
                    Response(status: 200, headers: [("Content-Type", "application/json")], bytes: body)
                )
            case .failure(let problem): responder.respond(problem.response)
            }
        }
    }

    private func answerPast(
        _ query: ReadQuery,
        _ at: Instant,
        _ deadline: MonotonicTime,
        _ responder: Responder
    ) {
        let catalog = catalog
        history.answer(PastScope(query.scope, deadline: deadline), on: questions, responder) { reader, position in
            let facts = try reader.facts(of: query.key, in: query.scope.environment, at: at, upTo: position)
            let context = AnswerContext(
                environment: query.scope.environment,
                key: query.key,
                at: at,
                knownAt: query.scope.knownAt,
                position: position
            )
            return Response(
                status: 200,
                headers: [("Content-Type", "application/json")],
                bytes: context.body(facts, catalog)
            )
        }
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
