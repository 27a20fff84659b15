import Postgres
import TestSupport
import Testing

@Suite(.database, .timeLimit(.minutes(10)))
struct NonBlockingConnectionTests {
    static let echo = Statement(name: "echo", sql: "SELECT $1::int8", isReadOnly: true)
    static let divide = Statement(name: "divide", sql: "SELECT 100 / $1::int8", isReadOnly: true)
    static let insert = Statement(name: "insert_item", sql: "INSERT INTO item VALUES ($1)")
    static let processID = Statement(name: "pid", sql: "SELECT pg_backend_pid()", isReadOnly: true)
    static let endItself = Statement(name: "end", sql: LossTests.endItself, isReadOnly: true)
    static let backoff = Backoff(first: .milliseconds(1), cap: .milliseconds(20))

    /// Runs a loop with a started connection on a thread of its own.
    private func withLoop(
        _ configuration: PostgresConfiguration = TestDatabase.current.configuration,
        queueMax: Int = 16_384,
        batchMax: Int = 256,
        queueWait: Duration = .seconds(60),
        _ body: @escaping @Sendable (NonBlockingConnection, EventLoop) throws -> Void
    ) async throws {
        try await offPool {
            let connection = NonBlockingConnection(
                configuration,
                queueMax: queueMax,
                batchMax: batchMax,
                queueWait: queueWait,
                backoff: Self.backoff,
                generator: SeededGenerator(seed: 1)
            )
            connection.start()
            try body(connection, EventLoop(connection))
            connection.close()
        }
    }

    @Test func `ten thousand look-ups are answered in order, each with its own`() async throws {
        try await withLoop { connection, loop throws in
            var answers: [Int64] = []
            for number in 0..<10_000 {
                try connection.submit(Self.echo, [.int8(Int64(number))]) { result in
                    if let rows = try? result.get() { answers.append(rows.int64(0, 0)) }
                }
            }
            #expect(connection.queuedCount == 10_000)
            loop.run { answers.count == 10_000 }
            #expect(answers == Array(0..<10_000))
            #expect(connection.isIdle && connection.inFlightCount == 0 && connection.queuedCount == 0)
        }
    }

    @Test(arguments: [1, 3, 256])
    func `queries behind one that failed are answered all the same`(batchMax: Int) async throws {
        try await withLoop(batchMax: batchMax) { connection, loop throws in
            var outcomes: [Int: String] = [:]
            for number in 0..<40 {
                let divisor = Int64(number % 4)
                try connection.submit(Self.divide, [.int8(divisor)]) { result in
                    switch result {
                    case .success(let rows): outcomes[number] = String(rows.int64(0, 0))
                    case .failure(let error): outcomes[number] = error.state?.rawValue
                    }
                }
            }
            loop.run { outcomes.count == 40 }
            #expect((0..<40).map { outcomes[$0] } == (0..<40).map { ["22012", "100", "50", "33"][$0 % 4] })
        }
    }

    @Test func `a statement that cannot be prepared fails alone, with the reason`() async throws {
        try await withLoop { connection, loop throws in
            var outcomes: [String] = []
            let wrong = Statement(name: "wrong", sql: "SELECT nothing FROM nowhere", isReadOnly: true)
            for statement in [Self.processID, wrong, Self.processID, wrong] {
                try connection.submit(statement) { result in
                    outcomes.append(result.failure?.state?.rawValue ?? "done")
                }
            }
            loop.run { outcomes.count == 4 }
            #expect(outcomes == ["done", "42P01", "done", "42P01"])
        }
    }

    @Test func `a wrong use of a statement fails alone, before it is sent`() async throws {
        try await withLoop { connection, loop throws in
            var outcomes: [String] = []
            let other = Statement(name: "echo", sql: "SELECT 2", isReadOnly: true)
            for (statement, parameters) in [(Self.echo, [Parameter.int8(1)]), (other, []), (Self.echo, [.text("x")])] {
                try connection.submit(statement, parameters) { result in
                    if case .failure(.misuse) = result { outcomes.append("misuse") } else { outcomes.append("done") }
                }
            }
            loop.run { outcomes.count == 3 }
            #expect(outcomes.sorted() == ["done", "misuse", "misuse"])
        }
    }

    @Test func `a change is committed alone, and fails at its commit if it must`() async throws {
        let database = TestDatabase.current
        try await database.run {
            try $0.execute("CREATE TABLE item (id bigint CONSTRAINT item_once UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        }
        try await withLoop { connection, loop throws in
            var outcomes: [String] = []
            for id in [1, 2, 1, 3] as [Int64] {
                try connection.submit(Self.insert, [.int8(id)]) { outcomes.append($0.failure?.constraint ?? "done") }
                try connection.submit(Self.divide, [.int8(0)]) {
                    outcomes.append($0.failure?.state?.rawValue ?? "done")
                }
            }
            loop.run { outcomes.count == 8 }
            #expect(outcomes == ["done", "22012", "done", "22012", "item_once", "22012", "done", "22012"])
        }
        let ids = try await database.run {
            try $0.query(Statement(name: "ids", sql: "SELECT array_agg(id ORDER BY id) FROM item")).int64s(0, 0)
        }
        #expect(ids == [1, 2, 3])
    }

    @Test func `a full queue refuses, and a completion may ask again`() async throws {
        try await withLoop(queueMax: 2) { connection, loop throws in
            var answers: [Int64] = []
            func ask(_ number: Int64) throws(PostgresError) {
                try connection.submit(Self.echo, [.int8(number)]) { result in
                    answers.append((try? result.get().int64(0, 0)) ?? -1)
                    if number < 100 { try? ask(number + 2) }
                }
            }
            try ask(0)
            try ask(1)
            #expect(throws: PostgresError.limitExceeded(what: "queries waiting for a connection", limit: 2)) {
                try ask(2)
            }
            loop.run { answers.count == 102 }
            #expect(answers == Array(0...101))
        }
    }

    @Test func `a lost session fails what is in flight, and the next one answers the rest`() async throws {
        try await withLoop(batchMax: 3) { connection, loop throws in
            var events: [NonBlockingConnection.Event] = []
            var descriptors: [Bool] = []
            connection.onEvent = { events.append($0) }
            connection.onDescriptorChange = { descriptors.append($0 != nil) }
            var outcomes: [String] = []
            for statement in [Self.processID, Self.endItself, Self.processID, Self.processID, Self.processID] {
                try connection.submit(statement) { result in
                    outcomes.append(result.failure.map { $0.isConnectionLost ? "lost" : "other" } ?? "done")
                }
            }
            loop.run { outcomes.count == 5 }
            #expect(outcomes == ["done", "lost", "lost", "done", "done"])
            let reason = "the server ended the session with admin_shutdown (57P01)"
            #expect(events == [.opened, .lost(.connectionLost(reason: reason)), .opened])
            #expect(descriptors == [false, true])
        }
    }

    @Test func `a change in flight when the session is lost has an unknown outcome`() async throws {
        try await withLoop { connection, loop throws in
            var outcome: PostgresError?
            try connection.submit(Statement(name: "end_write", sql: LossTests.endItself)) { outcome = $0.failure }
            loop.run { outcome != nil }
            guard case .commitOutcomeUnknown = outcome else {
                Issue.record("unexpected \(String(describing: outcome))")
                return
            }
        }
    }

    @Test func `a session that ends while idle is replaced without being asked`() async throws {
        let database = TestDatabase.current
        try await withLoop { connection, loop throws in
            var process: Int32?
            try connection.submit(Self.processID) { process = (try? $0.get())?.int32(0, 0) }
            loop.run { process != nil }
            var opened = 0
            connection.onEvent = { if $0 == .opened { opened += 1 } }
            try database.connect().query(LossTests.terminate, [.int4(#require(process))])
            loop.run { opened == 1 }
            let first = process
            process = nil
            try connection.submit(Self.processID) { process = (try? $0.get())?.int32(0, 0) }
            loop.run { process != nil }
            #expect(process != first)
        }
    }

    @Test func `look-ups go on after the server was restarted`() async throws {
        let cluster = try await offPool { try PrivateCluster() }
        try await withLoop(cluster.configuration) { connection, loop throws in
            var (asked, answered, lost) = (0, 0, 0)
            func ask() throws {
                asked += 1
                try connection.submit(Self.echo, [.int8(Int64(asked))]) { result in
                    if result.failure == nil { answered += 1 } else { lost += 1 }
                }
            }
            for _ in 0..<10 { try ask() }
            loop.run { answered == 10 }
            try cluster.crash()
            for _ in 0..<300 { try ask() }
            // The loss is noticed, and attempts fail, before the server is back.
            var failed = 0
            connection.onEvent = { if case .failed = $0 { failed += 1 } }
            loop.run { failed >= 2 }
            #expect(!connection.isOpen)
            try cluster.start()
            for _ in 0..<300 { try ask() }
            loop.run { answered + lost == asked }
            #expect(answered >= 310)
        }
        try await offPool { try cluster.remove() }
    }

    @Test func `queries do not wait for a session for ever`() async throws {
        try await withLoop(PostgresConfiguration("host=/nowhere"), queueWait: .milliseconds(5)) {
            connection,
            loop throws in
            var outcome: PostgresError?
            try connection.submit(Self.processID) { outcome = $0.failure }
            loop.run { outcome != nil }
            #expect(outcome == .connectionLost(reason: "no session for 0.005 seconds"))
        }
    }

    @Test func `a server that stays silent is given up`() async throws {
        var configuration = TestDatabase.current.configuration
        configuration.silenceTimeout = .milliseconds(20)
        try await withLoop(configuration) { connection, loop throws in
            var outcome: PostgresError?
            try connection.submit(LimitTests.sleep) { outcome = $0.failure }
            loop.run { outcome != nil }
            #expect(outcome == .connectionLost(reason: "the server was silent for 0.02 seconds"))
        }
    }

    @Test func `more than the buffers hold in both directions does not block`() async throws {
        try await withLoop { connection, loop throws in
            let echo = Statement(name: "echo_bytes", sql: "SELECT $1", isReadOnly: true)
            let bytes = [UInt8](repeating: 7, count: 64 << 10)
            var received = 0
            for _ in 0..<400 {
                try connection.submit(echo, [.bytea(bytes)]) {
                    received += (try? $0.get().withBytes(0, 0) { $0.count }) ?? 0
                }
            }
            loop.run { received == 400 * bytes.count }
        }
    }

    @Test func `closing answers everything that was asked`() async throws {
        try await withLoop { connection, loop throws in
            var outcomes: [PostgresError?] = []
            for _ in 0..<10 { try connection.submit(Self.processID) { outcomes.append($0.failure) } }
            loop.run { connection.inFlightCount > 0 }
            for _ in 0..<5 { try connection.submit(Self.processID) { outcomes.append($0.failure) } }
            connection.close()
            #expect(outcomes == Array(repeating: .closed, count: 15))
            #expect(connection.descriptor == nil && connection.nextDeadline == nil)
            #expect(throws: PostgresError.closed) { try connection.submit(Self.processID) { _ in } }
        }
    }
}
