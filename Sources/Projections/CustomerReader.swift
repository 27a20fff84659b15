package import LedgerCore
package import Postgres

/// Reads customers' facts from the tables, on connections that live in an event loop: what is asked in one turn of the
/// loop goes out as one `= ANY` query for each kind of key (DESIGN.md section 6).
///
/// Confined to the loop's thread.
package final class CustomerReader {
    /// The facts that belong to a key, and the position they stand at.
    package struct Answer: Sendable {
        package var facts: CustomerFacts
        package var position: Position
    }

    package typealias Completion = (Result<Answer, PostgresError>) -> Void

    /// Keys of one query.
    package static let keysMax = 256
    /// Questions that wait for a connection; past it ``PostgresError/limitExceeded(what:limit:)``.
    package static let waitingMax = 16_384

    private struct Group: Hashable {
        var environment: StoreEnvironment
        var kind: Int
    }

    private struct Question {
        var key: String
        var completion: Completion
    }

    private let connections: [NonBlockingConnection]
    private let catalogs: CatalogShelf
    private var waiting: [Group: [Question]] = [:]
    /// Questions that wait for a connection.
    package private(set) var waitingCount = 0

    /// Reads on these connections; what an answer is to be judged by is on the shelf when it is given.
    package init(_ connections: [NonBlockingConnection], catalogs: CatalogShelf) {
        self.connections = connections
        self.catalogs = catalogs
    }

    /// Asks for the facts that belong to a key.
    ///
    /// The answer comes in a later turn of the loop, never from here.
    /// - Throws: ``PostgresError/limitExceeded(what:limit:)`` when too many wait.
    package func read(
        _ key: CustomerKey,
        in environment: StoreEnvironment,
        completion: @escaping Completion
    ) throws(PostgresError) {
        guard waitingCount < Self.waitingMax else {
            throw .limitExceeded(what: "entitlement reads", limit: Self.waitingMax)
        }
        waitingCount += 1
        waiting[Group(environment: environment, kind: key.kind), default: []].append(
            Question(key: key.value, completion: completion)
        )
    }

    /// Hands what waits to connections that are idle; called when a turn of the loop ends for its sources.
    package func flush() {
        guard waitingCount > 0 else { return }
        for connection in connections where connection.isIdle && waitingCount > 0 {
            submit(to: connection)
            connection.flush()
        }
        // Without any session the questions wait in a connection's queue, which gives them up after its `queueWait`:
        // left here, they would hang for as long as the database is away.
        guard let first = connections.first, !connections.contains(where: \.isOpen) else { return }
        while waitingCount > 0 { submit(to: first) }
    }

    /// One query a group, together in one pipeline.
    private func submit(to connection: NonBlockingConnection) {
        for (group, questions) in waiting {
            let batch = Array(questions.prefix(Self.keysMax))
            waiting[group] = questions.count > batch.count ? Array(questions.dropFirst(batch.count)) : nil
            waitingCount -= batch.count
            let parameters: [Parameter] = [.int2(group.environment.code), .textArray(batch.map(\.key))]
            let finish: (Result<Rows, PostgresError>) -> Void = { result in
                switch result {
                case .success(let rows):
                    let answers = CustomerRows.decode(rows, keys: batch.count)
                    for (question, answer) in zip(batch, answers) { question.completion(.success(answer)) }
                case .failure(let error):
                    for question in batch { question.completion(.failure(error)) }
                }
            }
            connection.read(Query(CustomerKey.statements[group.kind], parameters), catalogs, completion: finish)
        }
    }
}

extension NonBlockingConnection {
    /// Reads facts; the completion gets the rows when the newest catalog that they name is on the shelf.
    func read(_ query: Query, _ catalogs: CatalogShelf, completion: @escaping Completion) {
        submit(query, orFail: completion) { [unowned self] result in
            guard case .success(let rows) = result, let newest = CustomerRows.newestCatalog(rows),
                !catalogs.holds(newest)
            else { return completion(result) }
            submit(catalogs.query, orFail: completion) { versions in
                switch versions {
                case .failure(let error): completion(.failure(error))
                case .success(let versions):
                    catalogs.add(versions)
                    completion(result)
                }
            }
        }
    }

    private func submit(_ query: Query, orFail fail: Completion, _ completion: @escaping Completion) {
        do throws(PostgresError) {
            try submit(query.statement, query.parameters, completion: completion)
        } catch { fail(.failure(error)) }
    }
}

extension CustomerKey {
    /// The reads, by the kind of key.
    static let statements = [
        Statements.readByAppTransaction, Statements.readByLine, Statements.readByAccountToken,
        Statements.readByTransaction,
    ]

    /// How many kinds of key there are.
    static var kinds: Int { statements.count }

    /// Which kind of key it is, from 0: the place of its statement in ``statements``, and of its keys in
    /// `read_batch.sql`.
    var kind: Int {
        switch self {
        case .appTransactionID: 0
        case .originalTransactionID: 1
        case .appAccountToken: 2
        case .transactionID: 3
        }
    }
}

/// The rows of `read_by_….sql` and `read_batch.sql`: position, key number, consent, packed facts of a line, position
/// of the newest catalog.
enum CustomerRows {
    /// The newest catalog that was folded; nil without rows, 0 for none.
    static func newestCatalog(_ rows: Rows) -> Position? { rows.isEmpty ? nil : Position(rows.int64(0, 4)) }

    static func decode(_ rows: Rows, keys: Int) -> [CustomerReader.Answer] {
        let position = rows.isEmpty ? Position.start : Position(rows.int64(0, 0))
        var answers = [CustomerReader.Answer](
            repeating: CustomerReader.Answer(facts: CustomerFacts(), position: position),
            count: keys
        )
        for row in rows.indices {
            let index = Int(rows.int64(row, 1)) - 1
            guard index >= 0 else { continue }  // a row that tells the position, of no key
            if let rescinded = rows.optionalInt64(row, 2) {
                let instant = Instant(milliseconds: rescinded)
                answers[index].facts.consentRescindedAt = min(
                    answers[index].facts.consentRescindedAt ?? instant,
                    instant
                )
            }
            guard !rows.isNull(row, 3) else { continue }
            answers[index].facts.lines.append(RowReader(rows, row: row, first: 0).packedLine(3))
        }
        return answers
    }
}
