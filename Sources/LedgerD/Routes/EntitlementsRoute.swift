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

    init(_ questions: CustomerQuestions, catalog: Catalog, served: Set<StoreEnvironment>) {
        self.questions = questions
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
        guard at >= now || query.at == nil else {
            return responder.respond(
                Problem.malformed("The parameter \"at\" lies in the past, which this version cannot answer.").response)
        }
        ask(query.key, query.environment, at, query.minPosition, .now + query.wait) { result in
            switch result {
            case .success(let body):
                responder.respond(
                    Response(status: 200, headers: [("Content-Type", "application/json")], bytes: body))
            case .failure(let problem): responder.respond(problem.response)
            }
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
                        var json = JSONWriter(reservingCapacity: 2048)
                        EntitlementEvaluator.evaluate(answer.facts, catalog: catalog, at: at)
                            .write(
                                to: &json,
                                AnswerContext(
                                    environment: environment, key: key, at: at, position: answer.position))
                        return json.bytes
                    })
            })
    }
}
