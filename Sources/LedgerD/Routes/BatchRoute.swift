import HTTPServer
import LedgerCore
import Postgres
import Projections

/// `POST /v1/entitlements:batch`: what many customers may use, all answers at one position.
///
/// The look-up runs in the loop, like single reads. Its rows are turned into answers on threads of their own: 500
/// evaluations take about 5 ms, and the loop serves nobody meanwhile.
///
/// Confined to the loop's thread.
final class BatchRoute {
    private let questions: CustomerQuestions
    private let hot: HotReads
    private let reader: CustomerBatchReader
    private let pool: WorkPool
    private let history: PastAnswers
    private let catalogs: CatalogShelf
    private let served: Set<StoreEnvironment>
    private let clock: @Sendable () -> Instant

    /// What a key counts for in the pool's limit of bytes: the rows of a customer with several lines.
    static let bytesPerKey = 2048

    init(
        _ questions: CustomerQuestions,
        hot: HotReads,
        reader: CustomerBatchReader,
        pool: WorkPool,
        history: PastAnswers,
        catalogs: CatalogShelf,
        served: Set<StoreEnvironment>,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.questions = questions
        self.hot = hot
        self.reader = reader
        self.pool = pool
        self.history = history
        self.catalogs = catalogs
        self.served = served
        self.clock = clock
    }

    func handle(_ request: Request, _ responder: Responder) {
        let query: BatchQuery
        do throws(Problem) { query = try BatchQuery(request.body, served: served) } catch {
            return responder.respond(error.response)
        }
        let now = clock()
        let answer = BatchAnswer(query, at: query.scope.at ?? now, catalogs: catalogs)
        let deadline = MonotonicTime.now + query.scope.wait
        if query.scope.isPast(now) { return answerPast(answer, deadline, responder) }
        let environment = query.scope.environment
        questions.reach(query.scope.minPosition, in: environment, by: deadline) { [unowned self] problem in
            if let problem { return responder.respond(problem.response) }
            look(answer, responder)
        }
    }

    private func look(_ answer: BatchAnswer, _ responder: Responder) {
        let (pool, hot, catalogs) = (pool, hot, catalogs)
        reader.read(answer.query.keys, in: answer.query.scope.environment) { result in
            switch result {
            case .failure(.limitExceeded): responder.respond(Self.overloaded.response)
            case .failure(let error):
                responder.respond(
                    Problem.storeUnavailable("The ledger's database is not available: \(error)").response
                )
            case .success(let batch):
                hot.noteStated(batch.position)
                let isTaken = pool.submit(size: answer.query.keys.count * Self.bytesPerKey) { session in
                    var (answer, facts) = (answer, batch.facts())
                    do {
                        for index in facts.indices where facts[index].lacksUsage {
                            // At the batch's position, so that all answers stand there.
                            facts[index] = try HistoryReader(session.open(), catalogs: catalogs).currentFacts(
                                of: answer.query.keys[index],
                                in: answer.query.scope.environment,
                                upTo: batch.position
                            )
                        }
                    } catch { return responder.respond(Problem(reading: error).response) }
                    answer.add(facts, at: batch.position)
                    responder.respond(answer.response(at: batch.position))
                }
                if !isTaken { responder.respond(Self.overloaded.response) }
            }
        }
    }

    /// Folds one customer after the other; between slices other questions about the past get their turn.
    private func answerPast(_ answer: BatchAnswer, _ deadline: MonotonicTime, _ responder: Responder) {
        let history = history
        history.answer(PastScope(answer.query.scope, deadline: deadline), on: questions, responder) { reader, horizon in
            try Self.slice(answer, horizon.position, history, responder, reader)
        }
    }

    private static func slice(
        _ answer: BatchAnswer,
        _ position: Position,
        _ history: PastAnswers,
        _ responder: Responder,
        _ reader: HistoryReader
    ) throws -> Response? {
        var answer = answer
        let facts = try answer.unanswered.prefix(BatchAnswer.pastSliceMax).map { key in
            try reader.facts(of: key, in: answer.query.scope.environment, at: answer.at, upTo: position)
        }
        answer.add(facts, at: position)
        if answer.unanswered.isEmpty { return answer.response(at: position) }
        let rest = answer
        history.onPool(responder) { reader in try slice(rest, position, history, responder, reader) }
        return nil
    }

    private static let overloaded = Problem.overloaded("Too many batches of reads wait; try again in a moment.")
}

/// The answer to a batch, written key by key.
struct BatchAnswer: Sendable {
    let query: BatchQuery
    let at: Instant
    private let catalogs: CatalogShelf
    private var json: JSONWriter
    private var answered = 0

    /// Keys of a question about the past that are folded before other questions get their turn: about 30 ms.
    static let pastSliceMax = 50
    /// The room that is made for the answer about one key.
    private static let bytesPerKey = 1536

    init(_ query: BatchQuery, at: Instant, catalogs: CatalogShelf) {
        self.query = query
        self.at = at
        self.catalogs = catalogs
        json = JSONWriter(reservingCapacity: 64)
    }

    /// The keys that come next.
    var unanswered: ArraySlice<CustomerKey> { query.keys[answered...] }

    /// Writes the sets that these facts mean, of the keys that come next.
    mutating func add(_ facts: [CustomerFacts], at position: Position) {
        if answered == 0 {
            json = JSONWriter(reservingCapacity: query.keys.count * Self.bytesPerKey + 64)
            json.beginObject()
            json.name("items")
            json.beginArray()
        }
        let catalog = catalogs.catalog(at: at, upTo: position)
        for (key, facts) in zip(unanswered, facts) {
            let context = AnswerContext(
                environment: query.scope.environment,
                key: key,
                at: at,
                knownAt: query.scope.knownAt,
                position: position
            )
            json.beginObject()
            json.name("key")
            key.write(to: &json)
            json.name("set")
            EntitlementEvaluator.evaluate(facts, catalog: catalog, at: at).write(to: &json, context)
            json.endObject()
        }
        answered += facts.count
    }

    /// The whole answer, once nothing is ``unanswered``.
    consuming func response(at position: Position) -> Response {
        json.endArray()
        json.name("errors")
        json.beginArray()
        for bad in query.badKeys {
            json.beginObject()
            json.name("key")
            json.raw(bad.json)
            json.name("code")
            json.literal("malformed")
            json.endObject()
        }
        json.endArray()
        json.member("position", position)
        json.endObject()
        return .json(json)
    }
}
