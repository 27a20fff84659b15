import EventStore
import Glibc
import LedgerCore
import Postgres
import Projections
import TestSupport
import Testing

/// Reads by each of the four keys, through non-blocking connections and a small loop.
@Suite("Customer reader", .database, .timeLimit(.minutes(10)))
struct CustomerReaderTests {
    @Test(arguments: 40..<46 as Range<UInt64>)
    func `each key gives exactly the lines that belong to it, in its environment`(_ seed: UInt64) async throws {
        let units = try Story(seed: seed, count: 90, lines: 6).units(.shared())
        let database = TestDatabase.current
        try await database.project { harness in
            try harness.append(units)
            try harness.catchUp()
            let log = try harness.foldedLog()
            let loop = try ReadLoop(database.daemon(), connections: 2)
            let questions = Self.questions(log)
            #expect(questions.count > 20)
            let answers = try loop.ask(questions)
            for (question, answer) in zip(questions, answers) {
                let answer = try answer.get()
                let comment: Comment = "seed \(seed), \(question.key) in \(question.environment)"
                #expect(answer.facts.inOrder == log.customer(question.key, question.environment), comment)
                #expect(try answer.position == harness.head, comment)
            }
            loop.close()
        }
    }

    /// Every key that the log knows, in both environments, and keys that nobody has.
    private static func questions(_ log: FactSet) -> [Question] {
        let keys: [CustomerKey] =
            Set(log.transactions.keys.map(\.id)).map { .transactionID($0) }
            + Set(log.lines.keys.map(\.id)).map { .originalTransactionID($0) }
            + (Story.customers + ["0", ""]).map { .appTransactionID(AppTransactionID(rawValue: $0)) }
            + (Story.tokens + ["x"]).map { .appAccountToken(AppAccountToken(rawValue: $0)) }
            + [
                .transactionID(TransactionID(rawValue: "0")),
                .originalTransactionID(OriginalTransactionID(rawValue: "'")),
            ]
        return keys.flatMap { [Question(key: $0, environment: .production), Question(key: $0, environment: .sandbox)] }
    }

    @Test func `more keys than one query takes are answered in several`() async throws {
        let unit = AppendUnit(
            try SimulatedStore.shared().verified(.transaction("1"), as: .transaction),
            source: .device
        )
        let database = TestDatabase.current
        try await database.project { harness in
            try harness.append([unit])
            try harness.catchUp()
            let loop = try ReadLoop(database.daemon(), connections: 1)
            let questions = (0..<(CustomerReader.keysMax * 2 + 3)).map { number in
                Question(key: .transactionID(TransactionID(rawValue: "\(number % 3)")), environment: .production)
            }
            let counts = try loop.ask(questions).map { try $0.get().facts.lines.count }
            #expect(counts == questions.indices.map { $0 % 3 == 1 ? 1 : 0 })
            loop.close()
        }
    }

    @Test func `past its limit it refuses`() async throws {
        let reader = CustomerReader([], catalogs: CatalogShelf(initial: .empty))
        let key = CustomerKey.transactionID(TransactionID(rawValue: "1"))
        for _ in 0..<CustomerReader.waitingMax { try reader.read(key, in: .production) { _ in } }
        #expect(throws: PostgresError.limitExceeded(what: "entitlement reads", limit: CustomerReader.waitingMax)) {
            try reader.read(key, in: .production) { _ in }
        }
    }

    @Test func `a session that is ended fails its questions and the next ones are answered`() async throws {
        let database = TestDatabase.current
        try await database.run { owner in
            let loop = try ReadLoop(database.daemon("reads"), connections: 1)
            let question = Question(key: .transactionID(TransactionID(rawValue: "1")), environment: .production)
            try owner.execute("BEGIN; LOCK TABLE projection.lines")
            let answers = try loop.ask([question]) {
                let watch = ServerWatch(try database.connect())
                let backend = try #require(try watch.waitingBackend(for: .table))
                try watch.terminate(backend)
            }
            guard case .failure(let error) = answers[0] else {
                Issue.record("the question was answered")
                return
            }
            #expect(error.isRetryable)
            try owner.execute("ROLLBACK")
            #expect(try loop.ask([question])[0].get().facts.lines.isEmpty)
            loop.close()
        }
    }

    @Test func `a withdrawn consent is found by every key of the customer`() async throws {
        let store = try SimulatedStore.shared()
        let customer = "704900000000000009"
        let inner = try store.verified(.appTransaction(customer), as: .appTransaction)
        let notification = try store.verifiedNotification(
            .notification(
                "9782c9c7-7e86-5239-bb46-a043b075cb4b",
                part: "appData",
                ["signedAppTransactionInfo": .text(inner.text)],
                ["notificationType": "RESCIND_CONSENT"]
            )
        )
        let token = "0aa7a1f0-6d4e-4bd5-9a53-000000000001"
        let purchase = try store.verified(
            .transaction("1", ["appTransactionId": .text(customer), "appAccountToken": .text(token)]),
            as: .transaction
        )
        let units = [AppendUnit(notification, source: .notification), AppendUnit(purchase, source: .device)]
        let keys: [CustomerKey] = [
            .appTransactionID(AppTransactionID(rawValue: customer)), .transactionID(TransactionID(rawValue: "1")),
            .originalTransactionID(OriginalTransactionID(rawValue: "1")),
            .appAccountToken(AppAccountToken(rawValue: token.uppercased())),
        ]
        let signedAt = notification.notification.claims.signedAt
        let database = TestDatabase.current
        try await database.project { harness in
            let loop = try ReadLoop(database.daemon(), connections: 1)
            try harness.append([units[0]])
            try harness.catchUp()
            // Known by the customer's own key before anything was bought.
            let early = try loop.ask([Question(key: keys[0], environment: .production)])[0].get()
            #expect(early.facts == CustomerFacts(consentRescindedAt: signedAt))
            try harness.append([units[1]])
            try harness.catchUp()
            for environment in [StoreEnvironment.production, .sandbox] {
                for answer in try loop.ask(keys.map { Question(key: $0, environment: environment) }) {
                    let facts = try answer.get().facts
                    #expect(facts.consentRescindedAt == (environment == .production ? signedAt : nil))
                    #expect(facts.lines.count == (environment == .production ? 1 : 0))
                }
            }
            loop.close()
        }
    }
}

extension FactSet {
    /// The facts of every line that belongs to a key, found by looking at all of them.
    fileprivate func customer(_ key: CustomerKey, _ environment: StoreEnvironment) -> CustomerFacts {
        let mine = lines.filter { $0.key.environment == environment }.map(\.value).filter { line in
            switch key {
            case .appTransactionID(let id): line.appTransactionID?.value == id
            case .originalTransactionID(let id): line.originalTransactionID == id
            case .appAccountToken(let token): line.appAccountToken == token
            case .transactionID(let id):
                transactions[FactKey(environment, id)]?.originalTransactionID == line.originalTransactionID
            }
        }
        var customers = mine.compactMap(\.appTransactionID?.value)
        if case .appTransactionID(let id) = key { customers = [id] }
        let facts = mine.map { line in
            LineFacts(
                line: line,
                transactions: transactions.filter {
                    $0.key.environment == environment && $0.value.originalTransactionID == line.originalTransactionID
                }.map(\.value),
                renewal: renewals[FactKey(environment, line.originalTransactionID)]
            )
        }
        let consent = customers.compactMap { consents[FactKey(environment, $0)]?.rescindedAt }.min()
        return CustomerFacts(lines: facts, consentRescindedAt: consent).inOrder
    }
}

extension CustomerFacts {
    /// The same facts in one order.
    var inOrder: CustomerFacts {
        var facts = self
        facts.lines = lines.map { line in
            let sorted = line.transactions.sorted { $0.transactionID < $1.transactionID }
            return LineFacts(line: line.line, transactions: sorted, renewal: line.renewal)
        }
        facts.lines.sort { $0.line.originalTransactionID < $1.line.originalTransactionID }
        return facts
    }
}
