import HTTPServer
import LedgerCore
import Projections

/// `GET /v1/entitlements` and `/v1/entitlements:explain`: what a customer may use, and why.
///
/// Confined to the loop's thread.
final class EntitlementsRoute {
    private let questions: CustomerQuestions
    private let hot: HotReads
    private let catalogs: CatalogShelf
    private let served: Set<StoreEnvironment>
    private let history: PastAnswers
    private let findings: StatusFindings
    private let clock: @Sendable () -> Instant

    init(
        _ questions: CustomerQuestions,
        hot: HotReads,
        history: PastAnswers,
        catalogs: CatalogShelf,
        served: Set<StoreEnvironment>,
        findings: StatusFindings,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.questions = questions
        self.hot = hot
        self.history = history
        self.findings = findings
        self.clock = clock
        self.catalogs = catalogs
        self.served = served
    }

    func handle(_ request: Request, _ responder: Responder) {
        let known = request.header("If-None-Match")
        let query: ReadQuery
        do throws(Problem) { query = try ReadQuery(QueryParameters(request), served: served) } catch {
            return responder.respond(error.response)
        }
        if query.scope.isPresent {
            answerNow(query, ifNoneMatch: known, responder)
        } else {
            answer(query, responder) { $0.response(ifNoneMatch: known) }
        }
    }

    /// What a customer may use now: from the answers that are kept, else from the tables.
    private func answerNow(_ query: ReadQuery, ifNoneMatch known: String?, _ responder: Responder) {
        let now = clock()
        if let hit = hot.answer(query, at: now) {
            let context = AnswerContext(
                environment: query.scope.environment,
                key: query.key,
                at: now,
                position: hit.position
            )
            return responder.respond(hit.answer.response(context, isFinal: false, ifNoneMatch: known))
        }
        let (hot, history, ticket) = (hot, history, hot.ticket)
        let deadline = MonotonicTime.now + query.scope.wait
        find(query.key, query.scope.environment, now, query.scope.minPosition, deadline) { result in
            switch result {
            // What was used of one purchase depends on others that the answer does not show (decision 15): it is not kept.
            case .success(let answer) where answer.facts.lacksUsage:
                history.addUsage(to: answer) { result in
                    responder.respond(result.response { $0.response(ifNoneMatch: known) })
                }
            case .success(let answer):
                let rendered = answer.rendered()
                hot.keep(rendered, of: answer, ticket)
                responder.respond(rendered.response(answer.context, isFinal: false, ifNoneMatch: known))
            case .failure(let problem): responder.respond(problem.response)
            }
        }
    }

    func explain(_ request: Request, _ responder: Responder) {
        do throws(Problem) {
            answer(try ReadQuery(QueryParameters(request), served: served), responder) { $0.explained }
        } catch { responder.respond(error.response) }
    }

    private func answer(
        _ query: ReadQuery,
        _ responder: Responder,
        _ respond: @escaping @Sendable (CustomerAnswer) -> Response
    ) {
        let now = clock()
        let at = query.scope.at ?? now
        let deadline = MonotonicTime.now + query.scope.wait
        if query.scope.isPast(now) {
            let catalogs = catalogs
            history.answer(PastScope(query.scope, deadline: deadline), on: questions, responder) { reader, horizon in
                respond(try CustomerAnswer(query, at: at, reader, horizon, catalogs))
            }
        } else {
            ask(query.key, query.scope.environment, at, query.scope.minPosition, deadline) { result in
                responder.respond(result.response(respond))
            }
        }
    }

    /// Asks what a customer may use now or later; the answer can come on any thread.
    func ask(
        _ key: CustomerKey,
        _ environment: StoreEnvironment,
        _ at: Instant,
        _ minPosition: Position,
        _ deadline: MonotonicTime,
        completion: @escaping @Sendable (Result<CustomerAnswer, Problem>) -> Void
    ) {
        let history = history
        find(key, environment, at, minPosition, deadline) { result in
            guard case .success(let found) = result, found.facts.lacksUsage else { return completion(result) }
            history.addUsage(to: found, completion: completion)
        }
    }

    /// What the tables say, on the loop's thread; of used units they only know that there were some.
    private func find(
        _ key: CustomerKey,
        _ environment: StoreEnvironment,
        _ at: Instant,
        _ minPosition: Position,
        _ deadline: MonotonicTime,
        completion: @escaping (Result<CustomerAnswer, Problem>) -> Void
    ) {
        let (catalogs, findings) = (catalogs, findings)
        questions.ask(
            CustomerQuestions.Question(
                key: key,
                environment: environment,
                minPosition: minPosition,
                deadline: deadline
            ) { result in
                completion(
                    result.map { found in
                        let position = found.position
                        return CustomerAnswer(
                            context: AnswerContext(environment: environment, key: key, at: at, position: position),
                            facts: found.facts,
                            catalog: catalogs.catalog(at: at, upTo: position),
                            findings: findings
                        )
                    }
                )
            }
        )
    }
}

extension Result where Success == CustomerAnswer, Failure == Problem {
    /// What was found as it is to be shown, or the problem.
    fileprivate func response(_ show: (CustomerAnswer) -> Response) -> Response {
        switch self {
        case .success(let answer): show(answer)
        case .failure(let problem): problem.response
        }
    }
}

extension CustomerAnswer {
    /// What is found in the past, on a thread that may wait.
    fileprivate init(
        _ query: ReadQuery,
        at instant: Instant,
        _ reader: HistoryReader,
        _ horizon: HistoryReader.Horizon,
        _ catalogs: CatalogShelf
    ) throws {
        let environment = query.scope.environment
        facts = try reader.facts(of: query.key, in: environment, at: instant, upTo: horizon.position)
        context = AnswerContext(
            environment: environment,
            key: query.key,
            at: instant,
            knownAt: query.scope.knownAt,
            position: horizon.position
        )
        catalog = catalogs.catalog(at: instant, upTo: horizon.position)
        // Without `at` the answer is about now, which goes on.
        isFinal = horizon.isFinal && query.scope.at != nil
    }
}
