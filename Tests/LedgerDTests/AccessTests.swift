import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import LedgerD

/// Who may ask for what, with `"auth": "on"`.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct AccessTests {
    private static var setup: DaemonSetup {
        var setup = DaemonSetup()
        setup.requiresTokens = true
        return setup
    }

    /// Makes a token as `ledgerd token create` does.
    private static func makeToken(_ database: TestDatabase, _ scopes: [Scope]) throws -> (id: String, text: String) {
        let connection = try database.connect()
        defer { connection.close() }
        let token = AccessToken()
        return (try TokenStore(connection).add(token, name: "a test", scopes: scopes), token.text)
    }

    /// Asks until the answer has a status: the daemon reads the tokens again within seconds.
    private static func wait(for status: Int, _ ask: () throws -> Answer) throws -> Answer {
        let limit = ContinuousClock.now + .seconds(20)
        while true {
            let answer = try ask()
            if answer.status == status || ContinuousClock.now > limit { return answer }
        }
    }

    @Test func `routes with data need a token that is known`() async throws {
        try await withBench(Self.setup) { bench throws in
            let (_, text) = try Self.makeToken(bench.database, [.read])
            let client = try bench.start().client()
            _ = try Self.wait(for: 200) { try client.entitlements("transactionId=1", token: text) }
            for token in [nil, "", "ledgerd_unknown", text + "x", text.uppercased()] {
                for target in ["/v1/entitlements?transactionId=1", "/version", "/metrics", "/openapi.json"] {
                    let answer = try client.get(target, token: token)
                    expectProblem(answer, 401, "unauthorized")
                    #expect(answer.headers["www-authenticate"] == "Bearer")
                }
            }
            expectProblem(try client.post(transactions: [[0x61]]), 401, "unauthorized")
            let basic = try client.send("GET", "/version", headers: ["Authorization: Basic \(text)"])
            expectProblem(basic, 401, "unauthorized")
        }
    }

    @Test func `the App Store's notifications and the health routes need none`() async throws {
        try await withDaemon(Self.setup) { bench, client throws in
            let signed = try bench.store.notification(Sample.notification(type: "TEST"))
            #expect(try client.notify(signed).status == 200)
            #expect(try client.get("/healthz").status == 200)
            #expect(try Self.wait(for: 200) { try client.get("/readyz") }.status == 200)
        }
    }

    @Test(arguments: Scope.allCases)
    func `a token opens the routes of its scope and no others`(_ scope: Scope) async throws {
        try await withBench(Self.setup) { bench throws in
            let (_, token) = try Self.makeToken(bench.database, [scope])
            let client = try bench.start().client()
            // Any token shows what tells nothing of customers.
            for target in ["/version", "/metrics", "/openapi.json"] {
                #expect(try Self.wait(for: 200) { try client.get(target, token: token) }.status == 200, "\(target)")
            }
            let read = try client.entitlements("transactionId=1", token: token)
            let write = try client.post(transactions: [[0x61]], token: token)
            if [.read, .admin].contains(scope) {
                #expect(read.status == 200)
            } else {
                #expect(expectProblem(read, 403, "scopeMissing").contains("read"))
            }
            if [.ingest, .admin].contains(scope) {
                expectProblem(write, 400, "malformed")
            } else {
                #expect(expectProblem(write, 403, "scopeMissing").contains("ingest"))
            }
        }
    }

    @Test(arguments: Scope.allCases)
    func `registers and replays are for finance`(_ scope: Scope) async throws {
        try await withBench(Self.setup) { bench throws in
            let (_, token) = try Self.makeToken(bench.database, [scope])
            let client = try bench.start().client()
            #expect(try Self.wait(for: 200) { try client.get("/version", token: token) }.status == 200)
            var answers = try RegisterKind.allCases.map { register in
                try client.get("/v1/registers/\(register.rawValue)?transactionId=1", token: token)
            }
            answers.append(
                try client.send(
                    "POST",
                    "/v1/replays",
                    headers: ["Authorization: Bearer \(token)"],
                    body: #"{"knownAt":[0,0]}"#
                )
            )
            for answer in answers {
                if [.finance, .admin].contains(scope) {
                    #expect(answer.status == 200, "\(answer.text)")
                } else {
                    #expect(expectProblem(answer, 403, "scopeMissing").contains("finance"))
                }
            }
        }
    }

    @Test func `a token made while the daemon runs is soon known, and one that is revoked soon refused`() async throws {
        try await withDaemon(Self.setup) { bench, client throws in
            let (id, token) = try Self.makeToken(bench.database, [.read, .ingest])
            #expect(try Self.wait(for: 200) { try client.entitlements("transactionId=1", token: token) }.status == 200)
            let connection = try bench.database.connect()
            defer { connection.close() }
            #expect(try TokenStore(connection).revoke(id))
            #expect(try !TokenStore(connection).revoke(id))
            let refused = try Self.wait(for: 401) { try client.entitlements("transactionId=1", token: token) }
            expectProblem(refused, 401, "unauthorized")
        }
    }

    @Test func `before the tokens could be read every token waits`() async throws {
        try await withBench(Self.setup) { bench throws in
            let (_, token) = try Self.makeToken(bench.database, [.read])
            try bench.database.lockOut()
            let client = try bench.start().client()
            let answer = try client.entitlements("transactionId=1", token: token)
            expectProblem(answer, 503, "storeUnavailable", retryable: true)
            try bench.database.letIn()
            #expect(try Self.wait(for: 200) { try client.entitlements("transactionId=1", token: token) }.status == 200)
        }
    }
}
