import EventStore
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
    private let history: WorkPool

    init(
        _ questions: CustomerQuestions,
        history: WorkPool,
        catalog: Catalog,
        served: Set<StoreEnvironment>
    ) {
        self.questions = questions
        self.history = history
        self.catalog = catalog
        self.served = served
    }

    func handle(_ request: Request, _ responder: Responder) {
        let query: ReadQuery
        do throws(Problem) { query = try ReadQuery(request, served: served) } catch {
            return responder.respond(error.response)
        }
        let now = SystemClock.now()
        let at = query.at ?? now
        if query.knownAt != nil || at < now {
            return askHistory(query, at, responder)
        }
        ask(query.key, query.environment, at, query.minPosition, .now + query.wait) { result in
            switch result {
            case .success(let body):
                responder.respond(
                    Response(status: 200, headers: [("Content-Type", "application/json")], bytes: body)
                )
            case .failure(let problem): responder.respond(problem.response)
            }
        }
    }

    /// A question about the past folds the customer's own events again, on a thread that may wait.
    private func askHistory(_ query: ReadQuery, _ at: Instant, _ responder: Responder) {
        let catalog = catalog
        let isTaken = history.submit(size: 0) { session in
            do {
                let answer = try HistoryReader(try session.open()).read(
                    query.key,
                    in: query.environment,
                    at: at,
                    knownAt: query.knownAt
                )
                guard answer.position >= query.minPosition || query.knownAt != nil else {
                    throw Problem.notYetProjected(at: answer.position, wanted: query.minPosition)
                }
                let context = AnswerContext(
                    environment: query.environment,
                    key: query.key,
                    at: at,
                    knownAt: query.knownAt,
                    position: answer.position
                )
                let body = Self.body(answer.facts, catalog, context)
                responder.respond(
                    Response(status: 200, headers: [("Content-Type", "application/json")], bytes: body)
                )
            } catch let problem as Problem {
                responder.respond(problem.response)
            } catch let error as EventStoreError {
                responder.respond(Problem(error).response)
            } catch {
                responder.respond(Problem.storeUnavailable("\(error)").response)
            }
        }
        if !isTaken { responder.respond(Problem.overloaded("Too many questions about the past wait.").response) }
    }

    private static func body(_ facts: CustomerFacts, _ catalog: Catalog, _ context: AnswerContext) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 2048)
        EntitlementEvaluator.evaluate(facts, catalog: catalog, at: context.at).write(to: &json, context)
        return json.bytes
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
                        return Self.body(answer.facts, catalog, context)
                    }
                )
            }
        )
    }
}
