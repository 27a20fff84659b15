import Foundation
import HTTPServer
import LedgerCore
import Postgres
import TestSupport
import Testing

@testable import LedgerD

/// `GET /openapi.json`: the document says what the daemon does, neither less nor more.
@Suite(.daemons, .database, .timeLimit(.minutes(10)))
struct OpenAPITests {
    /// An operation, as `GET /version`.
    private typealias Name = String

    /// The document, and which of its operations a test has seen answering 200.
    private final class Description {
        let json: JSONValue
        private(set) var seen: Set<Name> = []

        init(_ client: DaemonClient, token: String? = nil) throws {
            let answer = try client.get("/openapi.json", token: token)
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "application/json")
            json = answer.json
            #expect(json["openapi"]?.text == "3.1.0")
        }

        var operations: [(name: Name, method: String, path: String, json: JSONValue)] {
            (json["paths"]?.names ?? []).sorted().flatMap { path in
                (json["paths"]?[path]?.names ?? []).sorted().map { method in
                    let operation = json["paths"]?[path]?[method] ?? .null
                    return ("\(method.uppercased()) \(path)", method.uppercased(), path, operation)
                }
            }
        }

        /// Expects that an answer is one that the document describes for an operation.
        func expect(_ answer: Answer, of name: Name, at location: SourceLocation = #_sourceLocation) {
            let check = SchemaCheck(json)
            let responses = operations.first { $0.name == name }?.json["responses"]
            guard let found = responses?["\(answer.status)"] ?? responses?["default"],
                let response = check.resolved(found)
            else {
                Issue.record("\(name) has no response \(answer.status)", sourceLocation: location)
                return
            }
            if answer.status == 200 { seen.insert(name) }
            guard let content = response["content"] else {
                #expect(answer.body.isEmpty, "\(name)", sourceLocation: location)
                return
            }
            let type = String(answer.headers["content-type"]?.prefix { $0 != ";" } ?? "")
            guard let schema = content[type]?["schema"] else {
                Issue.record("\(name) \(answer.status) has no content \(type)", sourceLocation: location)
                return
            }
            let value = type.hasSuffix("/json") || type.hasSuffix("+json") ? answer.json : .string(answer.text)
            let findings = check.findings(value, schema)
            #expect(findings.isEmpty, "\(name) \(answer.status): \(answer.text)", sourceLocation: location)
        }
    }

    @Test func `it has the routes of the daemon and no others`() async throws {
        try await withDaemon { _, client throws in
            // The metrics have a latency for each route.
            let metrics = try MetricsReading(client.get("/metrics").text)
            let prefix = "ledgerd_http_request_duration_seconds_count"
            let routes = try metrics.samples.keys.filter { $0.hasPrefix(prefix) }.map { sample in
                let match = try #require(sample.wholeMatch(of: /.*\{method="(.*)",route="(.*)"\}/))
                return "\(match.1) \(match.2)"
            }
            let described = try Description(client).operations.map(\.name)
            #expect(described.sorted() == routes.sorted())
            #expect(routes.count >= 15)
        }
    }

    @Test func `every reference leads somewhere, and no operation has another's identifier`() async throws {
        try await withDaemon { _, client throws in
            let description = try Description(client)
            let check = SchemaCheck(description.json)
            func references(_ value: JSONValue) -> [JSONValue] {
                let inner = value.items + value.names.compactMap { value[$0] }
                return (value["$ref"] == nil ? [] : [value]) + inner.flatMap(references)
            }
            let all = references(description.json)
            #expect(all.count > 100)
            for reference in all { #expect(check.resolved(reference) != nil, "\(reference)") }
            let identifiers = description.operations.compactMap { $0.json["operationId"]?.text }
            #expect(identifiers.count == description.operations.count)
            #expect(Set(identifiers).count == identifiers.count)
        }
    }

    @Test func `it lists the problem codes that the daemon has and no others`() async throws {
        try await withDaemon { _, client throws in
            let listed = try Description(client).json["components"]?["schemas"]?["ProblemCode"]?["enum"]?.items ?? []
            var used = Set(RejectionCode.allCases.map(\.rawValue) + Refusal.allCases.map(\.code))
            // The others stand where they are made.
            let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Sources/LedgerD")
            let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                used.formUnion(text.matches(of: /\bcode: "([A-Za-z]+)"/).map { String($0.1) })
            }
            #expect(used.contains("notYetProjected"))
            #expect(listed.compactMap(\.text).sorted() == used.sorted())
        }
    }

    @Test func `the scopes are those that the routes ask for`() async throws {
        var setup = DaemonSetup()
        setup.requiresTokens = true
        try await withBench(setup) { bench throws in
            // Each token opens the routes of its scope and what any token does.
            let connection = try bench.database.connect()
            defer { connection.close() }
            let (finance, read) = (AccessToken(), AccessToken())
            _ = try TokenStore(connection).add(finance, name: "finance", scopes: [.finance])
            _ = try TokenStore(connection).add(read, name: "read", scopes: [.read])
            let client = try bench.start().client()
            let description = try Description(client, token: read.text)
            for operation in description.operations {
                let path = operation.path.replacing("{position}", with: "1")
                let body = operation.method == "POST" ? "{}" : nil
                let bare = try client.send(operation.method, path, body: body)
                guard let scopes = operation.json["security"]?[0]?["bearer"]?.items else {
                    #expect(bare.status != 401, "\(operation.name)")
                    continue
                }
                expectProblem(bare, 401, "unauthorized")
                description.expect(bare, of: operation.name)
                let token = scopes.first?.text == "finance" ? read : finance
                let header = ["Authorization: Bearer \(token.text)"]
                let other = try client.send(operation.method, path, headers: header, body: body)
                guard let scope = scopes.first?.text else {
                    #expect(other.status == 200, "\(operation.name)")
                    continue
                }
                #expect(expectProblem(other, 403, "scopeMissing").contains("scope \(scope)."), "\(operation.name)")
                description.expect(other, of: operation.name)
            }
        }
    }

    @Test func `the answers of every route fit their schemas`() async throws {
        var setup = DaemonSetup()
        setup.catalog = [
            "products": [
                "com.example.pro.monthly": ["entitlement": "pro", "level": 1],
                "com.example.coins.500": ["unit": "coins", "units": 500],
            ]
        ]
        try await withBench(setup) { bench throws in
            let daemon = try bench.start()
            let client = try daemon.client()
            let description = try Description(client)
            let position = try Self.send(bench, client, description)
            let customer = "appTransactionId=\(Sample.customer)&minPosition=\(position)"
            for (route, target) in [
                ("/v1/entitlements", "/v1/entitlements?\(customer)"),
                ("/v1/entitlements:explain", "/v1/entitlements:explain?\(customer)"),
                ("/v1/transactions", "/v1/transactions?\(customer)&limit=1"),
                ("/v1/timeline", "/v1/timeline?\(customer)"),
                ("/v1/registers/refunds", "/v1/registers/refunds?\(customer)"),
                ("/v1/registers/refunds", "/v1/registers/refunds?\(customer)&format=csv"),
                ("/v1/registers/refunds", "/v1/registers/refunds?\(customer)&format=ndjson"),
                ("/v1/registers/revocations", "/v1/registers/revocations?\(customer)"),
                ("/v1/registers/clawbacks", "/v1/registers/clawbacks?\(customer)"),
                ("/v1/registers/purchases", "/v1/registers/purchases?\(customer)"),
                ("/v1/registers/purchases", "/v1/registers/purchases?minPosition=\(position)"),
                ("/v1/registers/refund-requests", "/v1/registers/refund-requests?\(customer)"),
                ("/v1/registers/refund-requests", "/v1/registers/refund-requests?\(customer)&format=csv"),
                ("/v1/events", "/v1/events"), ("/v1/events", "/v1/events?format=ndjson"),
                ("/v1/events/{position}", "/v1/events/1"), ("/v1/events/{position}", "/v1/events/2"),
                ("/healthz", "/healthz"), ("/readyz", "/readyz"), ("/version", "/version"), ("/metrics", "/metrics"),
                ("/openapi.json", "/openapi.json"),
            ] {
                let answer = try client.get(target)
                #expect(answer.status == 200, "\(target): \(answer.text)")
                description.expect(answer, of: "GET \(route)")
            }
            let stream = try StreamReader(port: daemon.port)
            defer { stream.close() }
            let begun = try stream.begin()
            description.expect(
                Answer(status: begun.status, headers: begun.headers, body: []),
                of: "GET /v1/events:stream"
            )
            try Self.ask(client, description)
            #expect(description.seen == Set(description.operations.map(\.name)))
        }
    }

    /// Sends documents of all kinds, and one that is refused.
    /// - Returns: the last position.
    private static func send(
        _ bench: DaemonBench,
        _ client: DaemonClient,
        _ description: Description
    ) throws -> Int64 {
        let purchased = Instant.testNow.adding(days: -1)
        let subscription = Sample.subscription("560001", purchased: purchased)
        let renewal = Sample.renewal(subscription, signed: purchased)
        let signed = try bench.store.notification(Sample.notification(subscription, renewal, type: "SUBSCRIBED"))
        let asked = Sample.notification(subscription, type: "CONSUMPTION_REQUEST")
        description.expect(try client.notify(try bench.store.notification(asked)), of: "POST /v1/notifications")
        for _ in 1...2 { description.expect(try client.notify(signed), of: "POST /v1/notifications") }
        let coins = Sample.transaction("560002", product: "com.example.coins.500", purchased: purchased)
            .with(["type": "Consumable"])
        let refunded = Sample.transaction("560003", purchased: purchased).refunded(at: purchased.adding(days: 1))
        let documents = try [coins, refunded].map { try bench.store.document($0) }
        let posted = try client.post(transactions: documents + [Array("a.b.c".utf8)])
        #expect(posted["entitlements"]?.isNull == false)
        description.expect(posted, of: "POST /v1/transactions")
        description.expect(try client.post(transactions: [Array("a.b.c".utf8)]), of: "POST /v1/transactions")
        description.expect(try client.notify(Array("a.b.c".utf8)), of: "POST /v1/notifications")
        return try #require(posted["results"]?.items.compactMap { $0["position"]?.integer }.max())
    }

    /// Asks what is answered in another way than by 200, and for many.
    private static func ask(_ client: DaemonClient, _ description: Description) throws {
        let batch = #"{"keys":[{"appTransactionId":"\#(Sample.customer)"},{"transactionId":"1"},5]}"#
        let many = try client.send("POST", "/v1/entitlements:batch", body: batch)
        #expect(many["errors"]?.items.count == 1)
        description.expect(many, of: "POST /v1/entitlements:batch")
        let replay = try client.send("POST", "/v1/replays", body: #"{"register":"refunds","knownAt":[0,null]}"#)
        #expect(replay["entries"]?.items.count == 1, "\(replay.text)")
        description.expect(replay, of: "POST /v1/replays")
        let report = #"{"idempotencyKey":"a","amount":7,"transactionId":"560002"}"#
        for body in [report, report, report.replacing("7", with: "8"), "{}"] {
            description.expect(try client.send("POST", "/v1/usage", body: body), of: "POST /v1/usage")
        }
        let tag = try #require(try client.entitlements("transactionId=560001").headers["etag"])
        let target = "/v1/entitlements?transactionId=560001"
        let known = try client.send("GET", target, headers: ["If-None-Match: \(tag)"])
        #expect(known.status == 304)
        description.expect(known, of: "GET /v1/entitlements")
        for (query, status) in [("transactionId=1&at=never", 400), ("transactionId=1&minPosition=99&waitMs=0", 409)] {
            let answer = try client.entitlements(query)
            #expect(answer.status == status)
            description.expect(answer, of: "GET /v1/entitlements")
        }
        let missing = try client.get("/v1/events/99")
        #expect(missing.status == 404)
        description.expect(missing, of: "GET /v1/events/{position}")
    }
}
