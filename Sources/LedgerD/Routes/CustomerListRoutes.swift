import HTTPServer
import LedgerCore
import Projections

/// `GET /v1/transactions` and `/v1/timeline`: what the ledger knows about a customer, page by page.
///
/// Both are made from the customer's own events, on threads that may wait. Confined to the loop's thread.
final class CustomerListRoutes {
    private let questions: CustomerQuestions
    private let history: PastAnswers
    private let served: Set<StoreEnvironment>
    private let clock: @Sendable () -> Instant

    init(
        _ questions: CustomerQuestions,
        history: PastAnswers,
        served: Set<StoreEnvironment>,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.questions = questions
        self.history = history
        self.served = served
        self.clock = clock
    }

    func transactions(_ request: Request, _ responder: Responder) {
        let now = clock()
        answer(request, responder) { found, page in
            TransactionItem.all(found).page(page) { $0.write(to: &$1, at: page.at ?? now) }
        }
    }

    func timeline(_ request: Request, _ responder: Responder) {
        answer(request, responder) { found, page in
            found.events(upTo: page.at).page(page) { $0.writeTimelineItem(to: &$1) }
        }
    }

    private func answer(
        _ request: Request,
        _ responder: Responder,
        _ list: @escaping @Sendable (CustomerHistory, ListPage) -> Response
    ) {
        let query: ListQuery
        do throws(Problem) { query = try ListQuery(QueryParameters(request), served: served) } catch {
            return responder.respond(error.response)
        }
        let scope = PastScope(query.scope, deadline: .now + query.scope.wait)
        history.answer(scope, on: questions, responder) { reader, horizon in
            let page = ListPage(query, position: horizon.position)
            let found = try reader.history(
                of: query.key,
                in: query.scope.environment,
                at: page.at ?? .distantFuture,
                upTo: page.position
            )
            return list(found, page)
        }
    }
}

/// A question for a page of a list about a customer.
struct ListQuery: Sendable {
    var key: CustomerKey
    var scope: ReadScope
    var limit: Int
    /// Where the page begins; nil: at the first item.
    var cursor: ListCursor?

    /// Items of a page, unless the question says otherwise.
    static let limitDefault: Int64 = 100
    /// The most items of a page.
    static let limitMax: Int64 = 500

    /// - Throws: the ``Problem`` that names the parameter.
    init(_ parameters: QueryParameters, served: Set<StoreEnvironment>) throws(Problem) {
        key = try parameters.customerKey()
        scope = try ReadScope(parameters, served: served)
        limit = Int(try parameters.integer("limit", default: Self.limitDefault, in: 1...Self.limitMax))
        guard let text = parameters.text("cursor") else { return }
        guard let cursor = ListCursor(text) else {
            throw .malformed("The parameter \"cursor\" must be the \"next\" of an earlier answer.")
        }
        self.cursor = cursor
        scope.at = cursor.at
        scope.knownAt = .position(cursor.position)
    }
}

/// A page that is being answered.
struct ListPage: Sendable {
    /// `at` of the question; nil: it named none.
    let at: Instant?
    let position: Position
    private let offset: Int
    private let limit: Int

    init(_ query: ListQuery, position: Position) {
        at = query.scope.at
        self.position = position
        offset = query.cursor?.offset ?? 0
        limit = query.limit
    }

    /// Which of so many items are on it.
    func range(of count: Int) -> Range<Int> {
        let start = min(offset, count)
        return start..<min(start + limit, count)
    }

    /// Where the next page begins; nil when nothing comes after this one.
    func next(of count: Int) -> ListCursor? {
        let end = range(of: count).upperBound
        return end < count ? ListCursor(position: position, at: at, offset: end) : nil
    }
}

extension Array {
    /// A page of a list (API.md, "Lists").
    fileprivate func page(_ page: ListPage, _ write: (Element, inout JSONWriter) -> Void) -> Response {
        let range = page.range(of: count)
        var json = JSONWriter(reservingCapacity: 1024 * (range.count + 1))
        json.beginObject()
        json.name("items")
        json.beginArray()
        for element in self[range] { write(element, &json) }
        json.endArray()
        json.member("next", page.next(of: count)?.text)
        json.member("position", page.position)
        json.endObject()
        return .json(json)
    }
}
